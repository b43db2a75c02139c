'use strict';
// Puts the page together: sections and tables once, charts again whenever their colours or sizes change.

const data = JSON.parse(document.getElementById('data').textContent);
const figures = [];

function figure(title, caption, height, option) {
  if (typeof echarts === 'undefined') return '';
  if (option() === null) return element('p', {className: 'quiet', textContent: `${title}: not in this result.`});
  const place = element('div', {className: 'chart'});
  place.style.height = `${height}px`;
  figures.push({place, option});
  return element('figure', {}, element('h3', {textContent: title}), place, element('figcaption', {textContent: caption}));
}

function draw({dark, renderer, width}) {
  let drawn = 0;
  for (const each of figures) {
    each.chart?.dispose();
    each.chart = echarts.init(each.place, dark ? 'dark' : null, {renderer, width});
    each.chart.setOption(each.option());
    each.chart.getZr().flush();  // now, not in the next frame
    if (each.chart.getZr().storage.getDisplayList().length > 0) ++drawn;
  }
  document.body.dataset.charts = drawn;
}

function strategyTable(result) {
  const name = ({strategy, same_plan, failure}) =>
    strategy + (same_plan.length > 0 ? ` (= ${same_plan.join(', ')})` : '') + (failure ? ' (FAILED)' : '');
  const time = (title, field) => ({title, value: row => row[field], text: row => milliseconds(row[field])});
  const speedup = ({mg_wfbp_speedup: ratio, mg_wfbp_speedup_interval: bounds}) =>
    ratio === null ? '–' : `${ratio.toFixed(3)} ${interval(bounds, bound => bound.toFixed(3))}`;
  const columns = [
    {title: 'strategy', value: name},
    {title: 'messages', value: row => row.messages},
    time('iteration, ms', 'iteration_seconds'),
    {title: '95 % interval, ms', value: row => row.iteration_interval_seconds?.[0] ?? null,
      text: row => interval(row.iteration_interval_seconds, milliseconds)},
    {title: 'samples', value: row => row.samples},
    {title: 'rounds', value: row => row.rounds},
    {title: 'images/s', value: row => row.images_per_second, text: row => number(row.images_per_second, 4, {minimumSignificantDigits: 4})},
    {title: 'scaling efficiency, %', value: row => row.efficiency, text: row => percent(row.efficiency)},
    {title: 'speed-up of mg-wfbp', value: row => row.mg_wfbp_speedup, text: speedup},
    time('forward, ms', 'forward_seconds'),
    time('backward, ms', 'backward_seconds'),
    time('overlap cost, ms', 'overlap_cost_seconds'),
    time('exposed, ms', 'exposed_seconds'),
    time('predicted, ms', 'predicted_iteration_seconds'),
    {title: 'error, %', value: row => row.prediction_error, text: row => percent(row.prediction_error)},
  ];
  const failures = result.rows.filter(({failure}) => failure).map(({strategy, failure}) =>
    element('p', {className: 'warning', textContent: `${strategy} FAILED: ${failure}`}));
  // What it comes to, and where the time goes.
  const tables = [columns.slice(0, 9), [columns[0], ...columns.slice(9)]].map(shown => sortable(shown, result.rows));
  return element('div', {}, ...tables, ...failures);
}

function errorTable({rows}) {
  const shown = rows.filter(row => row.prediction_error_parts_seconds);
  const part = (key, title) => ({
    title: `${title}, ms`,
    value: row => row.prediction_error_parts_seconds[key],
    text: row => milliseconds(row.prediction_error_parts_seconds[key]),
  });
  const parts = Object.entries(PARTS).map(([key, title]) => part(key, title));
  return sortable([{title: 'strategy', value: row => row.strategy}, part('total', 'measured less predicted'), ...parts], shown);
}

function rankTable({rank_computation: ranks}) {
  if (!ranks) return '';
  return sortable([
    {title: 'rank', value: row => row.rank},
    {title: 'host', value: row => row.host},
    {title: 'computation, ms', value: row => row.seconds, text: row => milliseconds(row.seconds)},
    {title: "times the others' median", value: row => row.ratio, text: row => number(row.ratio)},
    {title: 'verdict', value: row => (row.slow ? 'slow' : 'not measurably slow')},
  ], ranks.slowest);
}

function calibrationTable({curves}) {
  return (curves ?? []).map(({name, communicator, planned, line: [a, b], regimes}) => {
    const each = regimes.map(([from, at, slope]) =>
      `from ${bytes(from)} on ${duration(at)} + ${number(1e9 * slope)} ns/B`).join('; ');
    return element('p', {className: 'quiet', textContent: `${name} (${communicator}${planned ? ', planned with' : ''}): ` +
      `line ${duration(a)} + ${number(1e9 * b)} ns/B; regimes ${each}.`});
  });
}

function environmentTable({environment}) {
  return sortable([{title: 'name', value: ([name]) => name}, {title: 'value', value: ([, value]) => value}],
    Object.entries(environment));
}

function thinned(result) {
  const stride = Math.max(...result.strategies.map(strategy => strategy.stride));
  return stride > 1 ? ` Of the strategy with most samples one in ${stride} is drawn; medians are of all.` : '';
}

function timelines(result) {
  const iterations = ({predicted, measured}) => [predicted?.iteration ?? 0, measured?.iteration ?? 0];
  const end = Math.max(...result.strategies.flatMap(iterations));
  const byName = new Map(result.strategies.map(strategy => [strategy.strategy, strategy]));
  return result.rows.map(({strategy}) => figure(`Timeline of ${strategy}`,
    'Measured: medians of rank 0. Zoom with the slider, by pinching, or with Ctrl and the wheel.', 240,
    () => timelineChart(result, byName.get(strategy), end)));
}

function section(result) {
  const [verdict, ...notes] = result.sentences;
  const strategies = result.strategies.length;
  const planned = result.strategies.filter(({group_ends}) => group_ends.length > 0).length;
  const ranks = result.rank_computation?.slowest.length ?? 0;
  return [
    element('h2', {textContent: result.title}),
    element('p', {className: 'quiet', textContent: `${result.file}, ${result.date}`}),
    ...(result.emulated ? [element('p', {className: 'warning', textContent: `Emulated interconnect: ${result.emulated}.`})] : []),
    element('p', {className: 'verdict', textContent: verdict}),
    strategyTable(result),
    element('ul', {}, ...notes.map(textContent => element('li', {textContent}))),
    element('h3', {textContent: 'Reproduce'}),
    element('pre', {textContent: result.command}),
    figure('Iterations', `Of each strategy the samples, the first round on top.${thinned(result)}`, 100 + 48 * strategies,
      () => iterationChart(result)),
    ...timelines(result),
    figure('Gradients and merge groups', 'Sizes of tensors by the time at which they are ready without communication; below, ' +
      'what each strategy sends as one message.', 330 + 22 * planned, () => gradientChart(result)),
    element('h3', {textContent: 'What predictions are off by'}),
    errorTable(result),
    figure('Measured less predicted, by parts', 'Parts add up to the whole.', 100 + 32 * strategies, () => errorChart(result)),
    figure('Calibration', 'Solid: the fitted line; dashed: the regimes.', 360, () => calibrationChart(result)),
    ...calibrationTable(result),
    figure('Residuals of the calibration', 'Fit by measured time, less one.', 260, () => residualChart(result)),
    figure('Computation by rank', 'The slowest ranks, at most ten, without communication.', 80 + 30 * ranks,
      () => rankChart(result)),
    rankTable(result),
    lateTable(result),
    element('h3', {textContent: 'Environment'}),
    environmentTable(result),
  ];
}

/** Ranks that end backward later than others under a strategy, though without communication they may be as fast. */
function lateTable({strategies}) {
  const rows = strategies.flatMap(({strategy, arrival}) =>
    (arrival?.slowest ?? []).filter(({slow}) => slow).map(rank => ({strategy, ...rank})));
  if (rows.length === 0) return '';
  return element('div', {},
    element('h3', {textContent: 'Ranks that end backward late'}),
    sortable([
      {title: 'strategy', value: row => row.strategy},
      {title: 'rank', value: row => row.rank},
      {title: 'host', value: row => row.host},
      {title: 'forward and backward, ms', value: row => row.seconds, text: row => milliseconds(row.seconds)},
      {title: "times the others' median", value: row => row.ratio, text: row => number(row.ratio)},
    ], rows));
}

function scalingTable({curves}) {
  const rows = curves.flatMap(({strategy, measured}) =>
    measured.map(([ranks, seconds, bounds]) => ({strategy, ranks, seconds, bounds})));
  return sortable([
    {title: 'strategy', value: row => row.strategy},
    {title: 'ranks', value: row => row.ranks},
    {title: 'iteration, ms', value: row => row.seconds, text: row => milliseconds(row.seconds)},
    {title: '95 % interval, ms', value: row => row.bounds?.[0] ?? null, text: row => interval(row.bounds, milliseconds)},
  ], rows);
}

function scalingSection(scaling) {
  const simulated = scaling.basis ? ' Lines: simulated, without what messages and computation cost each other; the cost ' +
    `at the most ranks is ${scaling.basis}.` : '';
  return [
    element('h2', {textContent: `Scaling: ${scaling.title}`}),
    figure('Iterations by number of ranks', `Marks: measured.${simulated}`, 360, () => scalingChart(scaling)),
    scalingTable(scaling),
  ];
}

/** Several results side by side, and what their environments do not have in common. */
function overview({results, differences}) {
  const files = results.map(({file}, index) => ({title: file, value: ({values}) => values[index] ?? '(not set)'}));
  return [
    sortable([
      {title: 'result', value: ({file}) => file},
      {title: 'what', value: ({title}) => title},
      {title: 'verdict', value: ({sentences}) => sentences[0]},
    ], results),
    element('h3', {textContent: 'Differences between the environments'}),
    differences.length === 0 ? element('p', {textContent: 'None.'})
      : sortable([{title: 'name', value: ({name}) => name}, ...files], differences),
  ];
}

const withoutCharts = 'Charts are missing: Apache ECharts was not there when this mgbench was built (scripts/fetch_echarts).';
const several = data.results.length > 1;
const scaling = data.scaling.flatMap(scalingSection);
document.querySelector('main').append(
  element('h1', {textContent: document.title}),
  ...(typeof echarts === 'undefined' ? [element('p', {className: 'warning', textContent: withoutCharts})] : []),
  ...(several ? [...overview(data), ...scaling] : []),
  ...data.results.flatMap(section),
  ...(several ? [] : scaling));

if (typeof echarts !== 'undefined') {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const drawOnScreen = () => draw({dark: dark.matches, renderer: 'canvas'});
  drawOnScreen();
  dark.addEventListener('change', drawOnScreen);
  addEventListener('resize', () => figures.forEach(({chart}) => chart.resize()));
  // Paper: light, sharp, and as wide as an A4 page inside its margins.
  addEventListener('beforeprint', () => draw({dark: false, renderer: 'svg', width: 680}));
  addEventListener('afterprint', drawOnScreen);
}
document.body.dataset.figures = figures.length;
