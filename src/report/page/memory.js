// Memory over the program: how much a device holds at each place, of what, and what is alive there.
const M = S.memory, L = M.lives;
const ROLES = ['parameter', 'state', 'gradient', 'activation', 'gathered', 'buffer'];
const roleOrder = () => ROLES;
const roleColor = role => ({parameter: 0, state: 3, gradient: 2, activation: 4, gathered: 1, buffer: 7})[role];
const roleName = role => M.roles ? {parameter: 'parameters', state: "optimizer's state", gradient: 'gradients', activation: 'activations', gathered: 'gathered', buffer: 'buffers'}[role]
  : role === 'parameter' ? 'arguments' : 'made of them';
// Bytes of each role by place.
const roleBytes = (() => {
  let made = null;
  return () => {
    if (made) return made;
    made = new Map(ROLES.map(role => [role, new Float64Array(M.bytes.length + 1)]));
    for (let i = 0; i < L.bytes.length; ++i) {
      const of = made.get(T[L.role[i]]);
      of[L.first[i]] += L.bytes[i];
      of[L.last[i] + 1] -= L.bytes[i];
    }
    for (const of of made.values()) for (let i = 1; i < of.length; ++i) of[i] += of[i - 1];
    return made;
  };
})();
const peakByRole = () => new Map(ROLES.map(role => [role, roleBytes().get(role)[M.peak]]));
function aliveAt(place) {
  const alive = [];
  for (let i = 0; i < L.bytes.length; ++i) if (L.first[i] <= place && place <= L.last[i]) alive.push(i);
  return alive.sort((a, b) => L.bytes[b] - L.bytes[a]);
}
const placeName = place => place === 0 ? 'before the first step' : place === M.bytes.length - 1 ? 'behind the last step'
  : M.instr[place] < 0 ? `step ${whole(place)}` : `step ${whole(place)}, ${program.what(M.instr[place])}`;

section('memory', 'Memory', {
  count: () => bytes(M.bytes[M.peak]),
  render(root) {
    const places = M.bytes.length, most = Math.max(...[M.bytes[M.peak]], M.cap_bytes && M.cap_bytes < M.bytes[M.peak] * 1.6 ? M.cap_bytes : 0) || 1;
    const roles = ROLES.filter(role => roleBytes().get(role).some(n => n > 0));
    root.append(el('p.lead', {}, 'Most is held at ', el('b', {}, placeName(M.peak)), ': ', el('b', {title: exactly(M.bytes[M.peak])}, bytes(M.bytes[M.peak])), ' of arrays.',
      M.cap_bytes ? ` A device may use ${bytes(M.cap_bytes)}.` : '', ' Point at a place, or go there with the arrow keys.'),
    el('ul.legend', {style: {marginTop: '10px'}}, roles.map(role => el('li', {}, swatch(roleColor(role)), roleName(role), ' ', el('b', {}, bytes(peakByRole().get(role)))))));
    let cursor = -1, picked = M.peak;
    const left = 64, right = 12, top = 14, bottom = 24;
    const span = width => Math.max(1, width - left - right);
    const placeAt = (x, width) => Math.max(0, Math.min(places - 1, Math.floor((x - left) / span(width) * places)));
    const chart = plot('Memory over the program. Arrow keys move from place to place.', 260, (to, width, height) => {
      const inner = height - top - bottom, y = n => top + inner * (1 - n / (most * 1.06)), x = place => left + place / places * span(width);
      to.fillStyle = color('muted');
      to.strokeStyle = color('line');
      to.textBaseline = 'middle';
      to.textAlign = 'right';
      for (const tick of ticks(most, 4)) {
        to.fillText(bytes(tick), left - 8, y(tick));
        to.beginPath(); to.moveTo(left, Math.round(y(tick)) + 0.5); to.lineTo(width - right, Math.round(y(tick)) + 0.5); to.stroke();
      }
      // One column of pixels shows the place among its own where most is held.
      const columns = Math.min(Math.ceil(span(width)), places), by = roles.map(role => roleBytes().get(role));
      for (let c = 0; c < columns; ++c) {
        const from = Math.floor(c * places / columns), end = Math.max(from + 1, Math.floor((c + 1) * places / columns));
        let at = from;
        for (let p = from + 1; p < end; ++p) if (M.bytes[p] > M.bytes[at]) at = p;
        let below = 0;
        const x0 = left + c / columns * span(width), w = span(width) / columns;
        roles.forEach((role, r) => {
          const n = by[r][at];
          if (n <= 0) return;
          to.fillStyle = roleColors[roleColor(role)];
          to.fillRect(x0, y(below + n), w + 0.6, y(below) - y(below + n));
          below += n;
        });
      }
      if (M.cap_bytes && M.cap_bytes <= most * 1.06) {
        to.strokeStyle = color('bad'); to.setLineDash([5, 4]);
        to.beginPath(); to.moveTo(left, y(M.cap_bytes)); to.lineTo(width - right, y(M.cap_bytes)); to.stroke();
        to.setLineDash([]);
        to.fillStyle = color('bad'); to.textAlign = 'left'; to.fillText('may use ' + bytes(M.cap_bytes), left + 6, y(M.cap_bytes) - 9);
      }
      const rule = (place, style) => {
        const at = Math.round(x(place + 0.5)) + 0.5;
        to.strokeStyle = style; to.beginPath(); to.moveTo(at, top); to.lineTo(at, height - bottom); to.stroke();
        return at;
      };
      const at = rule(M.peak, color('text'));
      to.fillStyle = color('text');
      to.textAlign = at > width - 120 ? 'right' : 'left';
      to.fillText('peak ' + bytes(M.bytes[M.peak]), at + (at > width - 120 ? -6 : 6), top - 4);
      if (picked !== M.peak) rule(picked, color('accent'));
      if (cursor >= 0) rule(cursor, color('muted'));
      to.fillStyle = color('muted'); to.textAlign = 'left'; to.fillText('first step', left, height - 10);
      to.textAlign = 'right'; to.fillText(`step ${whole(places - 2)}`, width - right, height - 10);
    });
    let roleColors = [];
    const colors = () => { roleColors = Array.from({length: CHOICES}, (_, i) => color('c' + i)); };
    colors();
    plots.splice(plots.length - 1, 0, colors);

    const point = (place, x, y) => {
      cursor = place;
      const alive = aliveAt(place), shown = 7;
      showTip(x, y, el('div', {}, el('b', {}, bytes(M.bytes[place])), ' ', placeName(place)),
        el('table', {}, alive.slice(0, shown).map(i => el('tr', {}, el('td', {}, bytes(L.bytes[i])), el('td', {}, swatch(roleColor(T[L.role[i]])), ' ', name(T[L.value[i]]))))),
        alive.length > shown ? el('div.muted', {}, `and ${whole(alive.length - shown)} more`) : '');
      chart.again();
    };
    chart.canvas.addEventListener('pointermove', e => point(placeAt(e.offsetX, chart.box.clientWidth), e.clientX, e.clientY));
    chart.canvas.addEventListener('pointerleave', () => { cursor = -1; hideTip(); chart.again(); });
    chart.canvas.addEventListener('blur', () => { cursor = -1; hideTip(); chart.again(); });
    chart.canvas.addEventListener('click', e => pick(placeAt(e.offsetX, chart.box.clientWidth)));
    chart.canvas.addEventListener('keydown', e => {
      const far = Math.max(1, Math.round(places / 20)), from = cursor < 0 ? picked : cursor;
      const to = {ArrowRight: from + 1, ArrowLeft: from - 1, PageDown: from + far, PageUp: from - far, Home: 0, End: places - 1}[e.key];
      if (e.key === 'Enter' && cursor >= 0) return pick(cursor);
      if (to === undefined) return;
      e.preventDefault();
      const place = Math.max(0, Math.min(places - 1, to)), box = chart.canvas.getBoundingClientRect();
      point(place, box.left + left + place / places * span(box.width), box.top + 40);
    });

    const title = el('h3', {'aria-live': 'polite'});
    const list = el('div', {});
    const columns = [
      {title: 'array', width: 'minmax(120px, 2fr)', text: i => T[L.value[i]], sort: i => T[L.value[i]], cell: i => ended(T[L.value[i]])},
      {title: 'what', width: 'minmax(96px, 1fr)', text: i => roleName(T[L.role[i]]), sort: i => T[L.role[i]], cell: i => [swatch(roleColor(T[L.role[i]])), ' ', roleName(T[L.role[i]])]},
      {title: 'type', width: 'minmax(100px, 1.2fr)', from: 620, text: i => T[L.type[i]], sort: i => T[L.type[i]], cell: i => el('span.mono', {}, T[L.type[i]])},
      {title: 'held', width: 'minmax(84px, .7fr)', right: true, text: i => bytes(L.bytes[i]), sort: i => L.bytes[i], cell: i => figure(bytes(L.bytes[i]), exactly(L.bytes[i]))},
      {title: 'from step', width: '84px', right: true, from: 760, text: i => String(L.first[i]), sort: i => L.first[i]},
      {title: 'to step', width: '84px', right: true, from: 760, text: i => String(L.last[i]), sort: i => L.last[i]}];
    function pick(place) {
      picked = place;
      const alive = aliveAt(place);
      title.replaceChildren(place === M.peak ? 'Alive at the peak' : `Alive ${place === 0 || place === places - 1 ? '' : 'at '}${placeName(place)}`,
        el('span.muted', {style: {fontWeight: 400}}, ` · ${bytes(M.bytes[place])} `), place === M.peak ? '' : el('button.button', {onclick: () => pick(M.peak)}, 'Back to the peak'));
      list.replaceChildren(searched({label: 'arrays that are alive', noun: 'array', rows: alive, columns, open: i => { if (L.def[i] >= 0) inspect(L.def[i]); }}));
      chart.again();
    }
    root.append(chart.box, title, list);
    pick(M.peak);
  }
});
