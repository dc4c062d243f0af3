// Tables that sort and filter. Rows are made when they come near the screen: ten thousand of them would take
// seconds to lay out. Texts only ever become text nodes and title attributes.
'use strict';
(() => {
  const chunk = 200;     // rows made at a time
  const printed = 1000;  // rows that a printout holds at most
  const fixed = 3;       // a row begins with group, status, best; then its cells
  const data = JSON.parse(document.getElementById('data').textContent);
  const natural = new Intl.Collator('en', {numeric: true}).compare;

  const element = (tag, text, className) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

  class Table {
    constructor(root, run) {
      this.run = run;
      this.all = run.rows;
      this.statuses = new Set();  // none: all
      this.sorted = {column: -1, down: false};
      this.body = root.querySelector('tbody');
      this.heads = [...root.querySelectorAll('thead th')];
      this.count = root.querySelector('.count');
      this.more = root.querySelector('.more');
      this.filter = root.querySelector('input');
      this.filter.addEventListener('input', () => this.update());
      this.heads.forEach(
          (head, column) => head.querySelector('button').addEventListener('click', () => this.sort(column)));
      this.addChips(root.querySelector('.chips'));
      this.observer = new IntersectionObserver(entries => {
        if (entries.some(entry => entry.isIntersecting)) this.grow();
      }, {rootMargin: '1500px'});
      this.update();
    }

    addChips(place) {
      const counts = new Map();
      for (const row of this.all) counts.set(row[1], (counts.get(row[1]) || 0) + 1);
      if (counts.size < 2) return;
      for (const [status, count] of counts) {
        const chip = element('button', `${status} ${count.toLocaleString('en')}`, 'chip');
        chip.type = 'button';
        chip.setAttribute('aria-pressed', 'false');
        chip.addEventListener('click', () => {
          const pressed = !this.statuses.delete(status);
          if (pressed) this.statuses.add(status);
          chip.setAttribute('aria-pressed', String(pressed));
          this.update();
        });
        place.append(chip);
      }
    }

    // What the filter looks at: label, id, group, status and reason; made once.
    haystacks() {
      this.hay = this.hay ||
          this.all.map(
              row => [row[fixed][0], data.sentences[row[fixed][1]], this.run.groups[row[0]],
                      row[row.length - 1][0]]
                         .join('\n')
                         .toLowerCase());
      return this.hay;
    }

    // Up, down, then the run's own order again. Numbers begin with the largest, absent ones are last.
    sort(column) {
      const first = this.run.columns[column].number;
      const was = this.sorted;
      if (was.column !== column)
        this.sorted = {column, down: first};
      else if (was.down === first)
        this.sorted = {column, down: !first};
      else
        this.sorted = {column: -1, down: false};
      this.heads.forEach((head, at) => {
        if (at !== this.sorted.column)
          head.removeAttribute('aria-sort');
        else
          head.setAttribute('aria-sort', this.sorted.down ? 'descending' : 'ascending');
      });
      this.update();
    }

    update() {
      const words = this.filter.value.toLowerCase().split(/\s+/).filter(word => word);
      const hay = words.length ? this.haystacks() : null;
      this.shown = this.all.filter(
          (row, at) => (!this.statuses.size || this.statuses.has(row[1])) &&
              words.every(word => hay[at].includes(word)));
      this.arrange();
      this.count.textContent = this.shown.length === this.all.length ?
          plural(this.all.length, 'case') :
          `${this.shown.length.toLocaleString('en')} of ${plural(this.all.length, 'case')}`;
      this.body.replaceChildren();
      this.made = 0;
      this.grow();
    }

    arrange() {
      const {column, down} = this.sorted;
      if (column < 0) return;
      const cell = fixed + column, sign = down ? -1 : 1;
      if (!this.run.columns[column].number) {
        this.shown.sort((a, b) => sign * natural(a[cell][0], b[cell][0]));
        return;
      }
      this.shown.sort((a, b) => {
        const x = a[cell][2], y = b[cell][2];
        if (x === null || y === null) return (x === null) - (y === null);
        return sign * (x - y);
      });
    }

    grow(upTo = this.made + chunk) {
      const rows = document.createDocumentFragment();
      const end = Math.min(upTo, this.shown.length);
      for (; this.made < end; ++this.made) {
        const row = this.shown[this.made], before = this.shown[this.made - 1];
        if (this.sorted.column < 0 && (!before || before[0] !== row[0])) rows.append(this.heading(row[0]));
        rows.append(this.row(row));
      }
      this.body.append(rows);
      const left = this.shown.length - this.made;
      this.more.textContent = !this.shown.length ? 'No case matches.' :
          left ? `${plural(left, 'more case')} below; filter to find them.` :
                 '';
      this.observer.unobserve(this.more);
      if (left) this.observer.observe(this.more);  // anew, so that it looks again
    }

    heading(group) {
      const row = element('tr', undefined, 'group'), title = element('th', this.run.groups[group]);
      title.colSpan = this.run.columns.length;
      title.scope = 'colgroup';
      row.append(title);
      return row;
    }

    row(row) {
      const made = element('tr', undefined, row[2] ? `${row[1]} best` : row[1]);
      this.run.columns.forEach((column, at) => {
        const [text, sentence] = row[fixed + at];
        const last = at === this.run.columns.length - 1;
        const cell = element('td', text, column.number ? 'number' : last ? 'state' : '');
        if (sentence) cell.title = data.sentences[sentence];
        if (at === 0 && this.sorted.column >= 0) cell.append(element('span', this.run.groups[row[0]], 'of'));
        made.append(cell);
      });
      return made;
    }
  }

  // Charts of a history: those whose case has all the words.
  const find = document.querySelector('.find');
  if (find) {
    const charts = [...document.querySelectorAll('figure[data-case]')];
    const input = find.querySelector('input'), count = find.querySelector('.count');
    const show = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(word => word);
      for (const chart of charts)
        chart.hidden = !words.every(word => chart.dataset.case.toLowerCase().includes(word));
      const shown = charts.filter(chart => !chart.hidden).length;
      count.textContent = shown === charts.length ?
          plural(charts.length, 'chart') :
          `${shown.toLocaleString('en')} of ${plural(charts.length, 'chart')}`;
    };
    input.addEventListener('input', show);
    show();
  }

  const tables = [...document.querySelectorAll('.cases')].map((root, at) => new Table(root, data.runs[at]));
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    for (const table of tables) {
      table.grow(printed);
      if (table.shown.length > table.made)
        table.more.textContent =
            `The first ${printed.toLocaleString('en')} of ${plural(table.shown.length, 'case')};` +
            ' filter or sort before printing for others.';
    }
  });
})();
