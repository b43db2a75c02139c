'use strict';
// Elements, figures as people read them, and tables. What a result says becomes text nodes, never markup.

function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/** At most four significant digits; a dash for what there is not. */
function number(value, digits = 4, more = {}) {
  if (value === null || value === undefined) return '–';
  return value.toLocaleString('en', {maximumSignificantDigits: digits, useGrouping: false, ...more});
}

/** For columns: always four significant digits. */
function milliseconds(seconds) {
  return seconds === null || seconds === undefined ? '–' : number(1e3 * seconds, 4, {minimumSignificantDigits: 4});
}

function duration(seconds) {
  const size = Math.abs(seconds);
  if (size >= 1) return `${number(seconds)} s`;
  return size >= 1e-3 ? `${number(1e3 * seconds)} ms` : `${number(1e6 * seconds, 3)} µs`;
}

function interval(bounds, text) {
  return bounds ? `[${text(bounds[0])}, ${text(bounds[1])}]` : '–';
}

function percent(share) {
  return share === null || share === undefined ? '–' : (100 * share).toFixed(1);
}

function bytes(size) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log2(size) / 10)));
  return `${number(size / 1024 ** power)} ${units[power]}`;
}

/** A table whose rows go in the order of a column when its heading is clicked, and in the reverse order when clicked again.
 *  columns: {title, value: row => what is sorted by, text: row => what is shown; default: the value}. */
function sortable(columns, rows) {
  const cells = row => columns.map(({value, text = value}) => {
    const sorted = value(row);
    const cell = element('td', {textContent: text(row), className: typeof sorted === 'string' ? 'text' : ''});
    return Object.assign(cell, {sorted});
  });
  const body = element('tbody', {}, ...rows.map(row => element('tr', {}, ...cells(row))));
  const headings = columns.map(({title, value}, index) => {
    const button = element('button', {type: 'button', textContent: title, onclick: () => sort(index)});
    const text = rows.some(row => typeof value(row) === 'string');
    return element('th', {scope: 'col', className: text ? 'text' : ''}, button);
  });

  function sort(index) {
    const ascending = headings[index].getAttribute('aria-sort') !== 'ascending';
    headings.forEach(heading => heading.removeAttribute('aria-sort'));
    headings[index].setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
    const sign = ascending ? 1 : -1;
    const order = (left, right) => {
      const [a, b] = [left.cells[index].sorted, right.cells[index].sorted];
      if (a === null || b === null) return (a === null) - (b === null);  // what is not there comes last
      return sign * (typeof a === 'string' ? a.localeCompare(b) : a - b);
    };
    body.append(...[...body.rows].sort(order));
  }

  const table = element('table', {}, element('thead', {}, element('tr', {}, ...headings)), body);
  return element('div', {className: 'scroll'}, table);
}
