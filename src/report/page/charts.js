'use strict';
// Options of Apache ECharts, one function a chart: each takes a result as page_data() wrote it, and returns null where
// the result has nothing to draw. Times are drawn in milliseconds.

// Bright colours of Paul Tol, which colour-blind readers tell apart.
const COLORS = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377'];

function narrow() {
  return document.documentElement.clientWidth < 600;
}

/** What all charts share; `more` goes before it. */
function options(more) {
  return {
    animation: false,
    aria: {enabled: true},
    backgroundColor: 'transparent',
    color: COLORS,
    legend: {type: 'scroll', top: 0, left: 0},
    grid: {left: 8, right: 24, top: 56, bottom: 36, containLabel: true},
    tooltip: {confine: true},
    ...more,
  };
}

function valueAxis(name, more = {}) {
  return {type: 'value', name, nameLocation: 'middle', nameGap: 26, axisLabel: {hideOverlap: true}, ...more};
}

/** One row for each name, the first on top. */
function rowAxis(names, more = {}) {
  const {axisLabel, ...others} = more;
  const label = {interval: 0, width: narrow() ? 96 : 220, overflow: 'truncate', ...axisLabel};
  return {type: 'category', data: names, inverse: true, axisTick: {show: false}, axisLabel: label, ...others};
}

/** From the least value to the largest, with a tick at each power of `base`. */
function logAxis(name, base, formatter = String) {
  const customValues = Array.from({length: 64}, (_, power) => base ** power).filter(Number.isSafeInteger);
  return valueAxis(name, {
    type: 'log',
    logBase: 2,
    min: 'dataMin',
    max: 'dataMax',
    axisTick: {customValues},
    axisLabel: {customValues, formatter, hideOverlap: true},
    splitLine: {show: false},
  });
}

function sizeAxis() {
  return logAxis('message size', 16, bytes);
}

/** A tooltip of lines, the first of them its heading. */
function tooltip(...lines) {
  return element('div', {className: 'tooltip'}, ...lines.map(textContent => element('div', {textContent})));
}

/** For series whose items bring the lines of their tooltips. */
function ownTooltip({data}) {
  return tooltip(...data.lines());
}

/** Zooming along the axis of time; a wheel alone goes on scrolling the page. */
function zoom(more = {}) {
  const shared = {filterMode: 'weakFilter', ...more};
  return [
    {type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: false, preventDefaultMouseMove: false, ...shared},
    {type: 'slider', height: 18, bottom: 4, brushSelect: false, showDetail: false, ...shared},
  ];
}

/** Draws an item [row, begin, end, opacity] as a bar along its row. */
function bar(params, api) {
  const [begin, middle] = api.coord([api.value(1), api.value(0)]);
  const [end] = api.coord([api.value(2), api.value(0)]);
  const height = 0.7 * api.size([0, 1])[1];
  const whole = {x: begin, y: middle - height / 2, width: Math.max(1, end - begin), height};
  const shape = echarts.graphic.clipRectByRect(whole, params.coordSys);
  return shape && {type: 'rect', shape, style: {fill: api.visual('color'), opacity: api.value(3)}};
}

function barSeries(name, data, more = {}) {
  const encode = {x: [1, 2], y: 0};
  return {type: 'custom', name, renderItem: bar, encode, data, tooltip: {formatter: ownTooltip}, ...more};
}

/** Neighbours in a lane get different ones. */
function shade(index) {
  return index % 2 === 0 ? 1 : 0.55;
}

function tensorsOf(result, strategy, message) {
  const ends = strategy.group_ends;
  return result.tensors.slice(message === 0 ? 0 : ends[message - 1], ends[message] ?? 0);
}

/** "25 MiB in 3 tensors: a, b, c" */
function tensorLine(tensors) {
  const most = 12;
  const size = tensors.reduce((sum, [, each]) => sum + each, 0);
  const names = tensors.slice(0, most).map(([name]) => name).join(', ');
  const more = tensors.length > most ? ` and ${tensors.length - most} more` : '';
  return `${bytes(size)} in ${tensors.length} ${tensors.length === 1 ? 'tensor' : 'tensors'}: ${names}${more}`;
}

function iterationChart(result) {
  const shown = result.strategies.filter(({samples}) => samples.length > 0);
  if (shown.length === 0) return null;
  const last = Math.max(1, ...shown.map(({samples}) => samples.at(-1)[0]));
  const points = rejected => shown.flatMap(({strategy, samples}, row) =>
    samples.filter(sample => Boolean(sample[3]) === rejected).map(([round, position, seconds]) => ({
      value: [1e3 * seconds, row - 0.35 + 0.7 * round / last],
      lines: () => [strategy, `${duration(seconds)}, round ${round}, iteration ${position} of its block`],
    })));
  const boxes = shown.map(({strategy, iteration}) => {
    const median = iteration?.median_seconds;
    const [low, high] = iteration?.interval_seconds ?? [median, median];
    const text = iteration?.interval_seconds ? `95 % interval ${duration(low)} to ${duration(high)}` : 'no 95 % interval';
    return {
      value: [low, low, median, high, high].map(seconds => 1e3 * seconds),
      lines: () => [strategy, `median ${duration(median)}`, `${text}, ${iteration.samples} rounds`],
    };
  });
  const scatter = {type: 'scatter', yAxisIndex: 1, symbolSize: 5, tooltip: {formatter: ownTooltip}};
  return options({
    xAxis: valueAxis('iteration, ms', {scale: true, axisLine: {onZero: false}}),
    yAxis: [
      rowAxis(shown.map(({strategy}) => strategy)),
      {type: 'value', min: -0.5, max: shown.length - 0.5, inverse: true, show: false},
    ],
    series: [
      {...scatter, name: 'samples by round', data: points(false), itemStyle: {opacity: 0.7}},
      {...scatter, name: 'rejected', symbol: 'emptyCircle', data: points(true)},
      {
        type: 'boxplot',
        name: 'median and 95 % interval',
        data: boxes,
        boxWidth: ['60%', '60%'],
        itemStyle: {color: 'transparent', borderColor: COLORS[1], borderWidth: 2},
        tooltip: {formatter: ownTooltip},
      },
    ],
  });
}

/** `end`: of the axis, in seconds; the same for all strategies, so that they compare by eye. */
function timelineChart(result, strategy, end) {
  const series = {forward: [], backward: [], update: [], messages: []};
  [['predicted', strategy.predicted], ['measured', strategy.measured]].forEach(([origin, timeline], index) => {
    for (const [name, begin, until] of timeline?.computation ?? [])
      series[name].push({
        value: [2 * index, 1e3 * begin, 1e3 * until, 1],
        lines: () => [`${name}, ${origin}`, `${duration(begin)} to ${duration(until)}`, `took ${duration(until - begin)}`],
      });
    (timeline?.messages ?? []).forEach(([ready, start, until], message, all) => series.messages.push({
      value: [2 * index + 1, 1e3 * start, 1e3 * until, shade(message)],
      lines: () => [
        `message ${message + 1} of ${all.length}, ${origin}`,
        `ready ${duration(ready)}, start ${duration(start)}, end ${duration(until)}`,
        `waited ${duration(start - ready)}, took ${duration(until - start)}`,
        tensorLine(tensorsOf(result, strategy, message)),
      ],
    }));
  });
  if (Object.values(series).every(data => data.length === 0)) return null;
  const rows = ['predicted: computation', 'predicted: messages', 'measured: computation', 'measured: messages'];
  return options({
    grid: {left: 8, right: 24, top: 32, bottom: 58, containLabel: true},
    xAxis: valueAxis('ms since the start of the iteration', {min: 0, max: 1e3 * end, axisLabel: {formatter: value => number(value)}}),
    yAxis: rowAxis(rows, {axisLabel: {overflow: 'break', lineHeight: 14}}),
    dataZoom: zoom(),
    series: Object.entries(series).map(([name, data]) => barSeries(name, data)),
  });
}

/** Sixty sizes from `first` to `last`, evenly by their logarithm. */
function sizesBetween(first, last) {
  return Array.from({length: 60}, (_, index) => first * (last / first) ** (index / 59));
}

function lineTime([a, b], size) {
  return a + b * size;
}

function regimesTime(regimes, size) {
  const [from, at, slope] = regimes.findLast(([begin]) => begin <= size) ?? regimes[0];
  return at + slope * (size - from);
}

/** The curve of each regime, with a gap between them. */
function regimeCurves({points, regimes}) {
  const [smallest, largest] = [points[0][0], points.at(-1)[0]];
  return regimes.flatMap(([from, at, slope], index) => {
    const first = Math.max(smallest, from);
    const last = Math.max(first, regimes[index + 1]?.[0] ?? largest);
    return [...sizesBetween(first, last).map(size => [size, 1e3 * (at + slope * (size - from))]), ['-', '-']];
  });
}

function calibrationChart(result) {
  if (!result.curves) return null;
  const series = result.curves.flatMap((curve, index) => {
    const {name, points, line, regimes} = curve;
    const shared = {name: `${name}: ${curve.communicator}`, color: COLORS[index % COLORS.length]};
    const plain = {...shared, type: 'line', showSymbol: false, silent: true};
    const sizes = sizesBetween(points[0][0], points.at(-1)[0]);
    return [
      {
        ...shared,
        type: 'scatter',
        symbolSize: 7,
        tooltip: {formatter: ownTooltip},
        data: points.map(([size, seconds, bounds, samples]) => ({
          value: [size, 1e3 * seconds],
          lines: () => [`${name}, ${bytes(size)}`, `${duration(seconds)}, 95 % ${interval(bounds, duration)}`,
            `${samples} samples`, `line: ${duration(lineTime(line, size))}`,
            `regimes: ${duration(regimesTime(regimes, size))}`],
        })),
      },
      {...plain, lineStyle: {width: 1.5}, data: sizes.map(size => [size, 1e3 * lineTime(line, size)])},
      {...plain, lineStyle: {width: 1.5, type: 'dashed'}, data: regimeCurves(curve)},
    ];
  });
  return options({
    xAxis: sizeAxis(),
    yAxis: {type: 'log', name: 'ms', axisLabel: {formatter: value => number(value)}},
    series,
  });
}

function residualChart(result) {
  if (!result.curves) return null;
  const series = result.curves.flatMap(({name, points, line, regimes}, index) =>
    [['line', size => lineTime(line, size), 'solid'], ['regimes', size => regimesTime(regimes, size), 'dashed']].map(
      ([fit, time, type]) => ({
        type: 'line',
        name: `${name}: ${fit}`,
        color: COLORS[index % COLORS.length],
        lineStyle: {width: 1.5, type},
        symbol: type === 'solid' ? 'circle' : 'emptyCircle',
        tooltip: {formatter: ownTooltip},
        data: points.map(([size, seconds]) => {
          const residual = 100 * (time(size) / seconds - 1);
          return {value: [size, residual], lines: () => [`${name}, ${bytes(size)}`, `${fit} off by ${residual.toFixed(1)} %`]};
        }),
      })));
  return options({xAxis: sizeAxis(), yAxis: {type: 'value', name: 'off by, %'}, series});
}

/** Rows of the merge groups below the tensors, on the same axis of time. */
function gradientChart(result) {
  const {tensors, strategies} = result;
  const planned = strategies.filter(({group_ends}) => group_ends.length > 0);
  const groups = planned.flatMap((strategy, row) => strategy.group_ends.map((_, message, all) => {
    const held = tensorsOf(result, strategy, message);
    const [first, last] = [held[0][2], held.at(-1)[2]];
    return {
      value: [row, 1e3 * first, 1e3 * last, shade(message)],
      lines: () => [`${strategy.strategy}, message ${message + 1} of ${all.length}`, tensorLine(held),
        `its gradients are ready from ${duration(first)} to ${duration(last)}`],
    };
  }));
  const left = narrow() ? 112 : 240;
  const times = tensors.map(([, , ready]) => 1e3 * ready);
  const range = {min: Math.min(...times), max: Math.max(...times), axisLabel: {formatter: value => number(value), hideOverlap: true}};
  const rows = 22 * planned.length;
  return options({
    legend: {show: false},
    grid: [{left, right: 24, top: 28, bottom: rows + 80}, {left, right: 24, height: rows, bottom: 58}],
    xAxis: [
      {type: 'value', ...range, axisLabel: {show: false}},
      valueAxis('gradient ready, ms', {...range, gridIndex: 1}),
    ],
    yAxis: [
      {type: 'log', name: 'tensor size', logBase: 4, axisLabel: {formatter: bytes}},
      rowAxis(planned.map(({strategy}) => strategy), {gridIndex: 1}),
    ],
    dataZoom: zoom({xAxisIndex: [0, 1]}),
    series: [
      {
        type: 'scatter',
        symbolSize: 6,
        tooltip: {formatter: ownTooltip},
        data: tensors.map(([name, size, ready]) => ({
          value: [1e3 * ready, size],
          lines: () => [name, `${bytes(size)}, ready at ${duration(ready)}`],
        })),
      },
      barSeries('merge groups', groups, {xAxisIndex: 1, yAxisIndex: 1}),
    ],
  });
}

function rankChart({rank_computation: ranks}) {
  if (!ranks) return null;
  const name = ({rank, host}) => `rank ${rank} on ${host}`;
  return options({
    legend: {show: false},
    grid: {left: 8, right: 24, top: 24, bottom: 36, containLabel: true},
    xAxis: valueAxis('computation of an iteration, ms'),
    yAxis: rowAxis(ranks.slowest.map(name)),
    series: [{
      type: 'bar',
      barMaxWidth: 18,
      tooltip: {formatter: ownTooltip},
      data: ranks.slowest.map(rank => ({
        value: 1e3 * rank.seconds,
        itemStyle: {color: rank.slow ? COLORS[1] : COLORS[0]},
        lines: () => [name(rank), `${duration(rank.seconds)}, ${number(rank.ratio)} times the others' median`,
          rank.slow ? 'slow' : 'not measurably slow'],
      })),
      markLine: {
        symbol: 'none',
        silent: true,
        label: {formatter: 'typical', position: 'start'},
        data: [{xAxis: 1e3 * ranks.typical_seconds}],
      },
    }],
  });
}

function scalingChart({curves}) {
  const ranks = curves.flatMap(({measured, simulated}) => [...measured, ...simulated].map(([each]) => each));
  if (new Set(ranks).size < 2) return null;
  const point = (strategy, origin) => ([ranks, seconds, bounds]) => ({
    value: [ranks, 1e3 * seconds],
    lines: () => [`${strategy}, ${origin}`, `${ranks} ranks: ${duration(seconds)}`, `95 % ${interval(bounds, duration)}`],
  });
  const series = curves.flatMap(({strategy, measured, simulated}, index) => {
    const shared = {name: strategy, color: COLORS[index % COLORS.length], tooltip: {formatter: ownTooltip}};
    return [
      {...shared, type: 'scatter', symbolSize: 9, data: measured.map(point(strategy, 'measured'))},
      {...shared, type: 'line', symbolSize: 4, data: simulated.map(point(strategy, 'simulated'))},
    ];
  });
  return options({
    xAxis: logAxis('ranks', 2),
    yAxis: {type: 'value', name: 'iteration, ms', scale: true},
    series,
  });
}

// As the summary calls them.
const PARTS = {
  computation: 'computation',
  starting: 'late starts',
  transfer: 'messages',
  waiting: 'waiting for later ranks',
  hidden: 'hidden otherwise than predicted',
  rest: 'differences between ranks and of medians',
};

function errorChart({rows}) {
  const shown = rows.filter(row => row.prediction_error_parts_seconds);
  if (shown.length === 0) return null;
  const parts = Object.entries(PARTS).map(([key, name]) => ({
    type: 'bar',
    name,
    stack: 'parts',
    barMaxWidth: 18,
    tooltip: {formatter: ownTooltip},
    data: shown.map(row => {
      const seconds = row.prediction_error_parts_seconds[key];
      return {value: 1e3 * seconds, lines: () => [row.strategy, `${name}: ${duration(seconds)}`]};
    }),
  }));
  const total = shown.map(row => {
    const seconds = row.prediction_error_parts_seconds.total;
    return {value: 1e3 * seconds, lines: () => [row.strategy, `all of it: ${duration(seconds)}`]};
  });
  return options({
    xAxis: valueAxis('measured less predicted, ms'),
    yAxis: rowAxis(shown.map(({strategy}) => strategy)),
    series: [
      ...parts,
      {type: 'scatter', name: 'all of it', symbol: 'diamond', symbolSize: 11, color: '#888888', data: total,
        tooltip: {formatter: ownTooltip}},
    ],
  });
}
