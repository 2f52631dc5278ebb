// A phone that holds a seat: the table's code claims it. What it enters waits until another seat or the table confirms it.
const SEAT_KEY = "companion-seat";
let seatToken = "", ownSeat = null, heldIn = "", remoteSaid = "", typedCode = "", drawnRemote = "", judged = null;

const remote = () => shown && shown.state && shown.remote || null;
const entering = () => Boolean(remote()) && ownSeat !== null && Boolean(shown.agreed);
const tableOfSeat = () => query.get("token") || location.host;

function recallSeat() {
  try {
    const kept = JSON.parse(localStorage.getItem(SEAT_KEY));
    if (kept && kept.table === tableOfSeat()) seatToken = kept.token;
  } catch { /* this browser keeps nothing */ }
}

function keepSeat(token, seat) {
  [seatToken, ownSeat] = [token, seat];
  try {
    if (token) localStorage.setItem(SEAT_KEY, JSON.stringify({table: tableOfSeat(), token}));
    else localStorage.removeItem(SEAT_KEY);
  } catch { /* then the seat lasts as long as the page */ }
}

// The answer; null where there is none, and `remoteSaid` says why.
async function send(path, body = {}) {
  let found = null;
  try {
    const answer = await ask(path, {
      method: "POST", body: JSON.stringify(body), headers: seatToken ? {"Companion-Seat": seatToken} : {},
    });
    found = JSON.parse(answer.text);
    remoteSaid = found.error || "";
    if (answer.status === 403 && path !== "seat") keepSeat("", null);
    if (!answer.ok) found = null;
  } catch {
    remoteSaid = labels.lost;
  }
  drawRemote();
  return found;
}

// Which seat this phone has may change with the players' seats, and with the game.
async function findOwnSeat() {
  const now = JSON.stringify(remote() && [shown.game, shown.names, remote().held]);
  if (!seatToken || !remote() || now === heldIn) return;
  heldIn = now;
  const found = await send("seat/hold");
  if (found) ownSeat = found.seat;
  show();
}

async function claimSeat(seat, code) {
  const found = await send("seat", {seat, code});
  if (!found) return;
  keepSeat(found.token, seat);
  typedCode = "";
  show();
}

async function leaveSeat() {
  await send("seat/leave");
  keepSeat("", null);
  show();
}

// ---- what stands above every view: calls, the win that waits, what became of it; and the own seat

function drawRemote() {
  const now = remote(), seat = Number(query.get("seat") ?? -1), isOwnView = view() === "me";
  const key = JSON.stringify([now, shown && shown.names, ownSeat, seat, isOwnView, remoteSaid]);
  if (key === drawnRemote) return;
  drawnRemote = key;
  const {activeElement} = document, focused = activeElement && activeElement.dataset.key;
  byId("remote").replaceChildren(...(now ? [
    now.calls.map(each => h("p.call", {"data-part": "call"}, labels.calls.replace("{who}", shown.names[each]))),
    now.entry && entryPanel(now.entry),
    now.outcome && h("p.outcome", {"data-part": "outcome"}, now.outcome),
    isOwnView && (ownSeat === null ? claimPanel(now, seat) : seatPanel(now)),
    remoteSaid && h("p.problem", {role: "alert", "data-part": "remote"}, remoteSaid),
  ] : [isOwnView && shown && shown.state && h("p.dim", {"data-part": "watches"}, labels.watches)]).flat().filter(Boolean));
  const again = focused && byId("remote").querySelector(`[data-key="${focused}"]`);
  if (again) again.focus({preventScroll: true});
}

const paymentRows = (payments, payers) => h("table.payments", {}, payments.map((points, seat) => points !== 0 && h("tr", {"data-seat": seat},
  h("td", {}, shown.names[seat]),
  h("td.dim", {}, payers.filter(each => each.seat === seat).map(each => [...each.lines, each.said].join(" · ")).join("; ")),
  h("td.number." + gain(points), {}, signed(points)))));

function entryPanel({number, wins, payments}) {
  const isOwn = wins.some(win => win.seat === ownSeat);
  const judge = right => () => send("confirm", {number, right});
  return h("section.panel.entry", {"data-part": "entry"},
    wins.map(({title, seat, said}) => [
      h("h3", {}, title, h("span", {}, said.worth)),
      h("p.dim", {}, labels.enteredby.replace("{who}", shown.names[seat])),
      h("table.lines", {}, said.lines.map(line => h("tr", {}, h("td", {}, line.said), h("td.number", {}, line.brings)))),
    ]),
    paymentRows(payments, wins.flatMap(win => win.said.payers)),
    ownSeat === null || isOwn ? h("p.status", {}, labels.waits) : null,
    ownSeat !== null && h("div.keys", {},
      !isOwn && h("button.main", {onclick: judge(true), "data-key": "confirm"}, labels.confirm),
      h("button", {onclick: judge(false), "data-key": "reject"}, isOwn ? labels.takeback : labels.reject)));
}

function beginWin() {
  won.winner ??= ownSeat;
  set("view", "photo");
}

function claimPanel(now, seat) {
  if (!shown.seats.includes(seat)) return null;
  if (now.held[seat]) return h("section.panel", {}, h("p.dim", {"data-part": "held"}, labels.held));
  const claim = () => claimSeat(seat, typedCode.replace(/\s/g, ""));
  return h("section.panel", {},
    h("p", {}, labels.claimhelp.replace("{who}", shown.names[seat])),
    h("div.keys", {},
      h("input", {
        inputmode: "numeric", autocomplete: "off", maxlength: 8, size: 5, "aria-label": labels.code, placeholder: labels.code, value: typedCode,
        "data-key": "code", oninput: event => { typedCode = event.target.value; },
        onkeydown: event => { if (event.key === "Enter") claim(); },
      }),
      h("button", {onclick: claim, "data-key": "claim"}, labels.claim)));
}

function seatPanel(now) {
  const calls = now.calls.includes(ownSeat);
  return h("section.panel", {},
    h("p", {"data-part": "own"}, labels.holds.replace("{who}", shown.names[ownSeat])),
    h("div.keys", {},
      h("button.main", {"data-key": "mahjong", "aria-pressed": String(calls), onclick: () => send("mahjong", {calls: !calls})},
        calls ? labels.uncall : labels.mahjong),
      h("button", {"data-key": "enterwin", onclick: beginWin}, labels.enterwin),
      now.undoing === ownSeat && h("button", {"data-key": "undo", onclick: () => send("undo")}, labels.undo),
      h("button", {"data-key": "leaveseat", onclick: leaveSeat}, labels.leaveseat)));
}

// ---- the win that this phone enters: the page of the hand, judged by the game

const isRecorded = () => entering() && Boolean(judged && judged.recorded);

function makeWin() {
  const {hand, melds: laid, flowers = [], winning_tile: tile} = makeRequest();
  const {winner = ownSeat, source = "self_draw", from = null, stated = null} = won;
  const win = {winner, source, from, stated, ...(stated ? {winning_tile: won.winning_tile} : {hand, melds: laid, flowers, winning_tile: tile})};
  for (const name of ["situation", "discards", "fortune", "gambits", "consecutive_kongs", "claimed_from"])
    if (won[name] !== undefined) win[name] = won[name];
  return win;
}

async function judgeWin() {
  const number = ++asked, events = shown.events;
  const found = await send("win", {win: makeWin()});
  if (!found || number !== asked) return;
  judged = {...found, events};
  draw();
  drawJudged(found);
}

function drawJudged({problem, said, payments}) {
  const {score} = handPane.parts, missing = findMissing();
  score.hidden = Boolean(missing) || !(held.length || won.stated);
  if (problem) return score.replaceChildren(h("p", {"data-part": "problem"}, problem));
  score.replaceChildren(
    h("h3", {"data-part": "worth"}, said.worth),
    h("table.lines", {}, said.lines.map(line => h("tr", {}, h("td", {}, line.said), h("td.number", {}, line.brings)))),
    paymentRows(payments, said.payers),
    h("button.main", {onclick: enterWin, "data-key": "enter"}, labels.enter), h("p.dim", {}, labels.enterhelp));
}

async function enterWin() {
  if (!await send("win", {win: makeWin(), enter: true})) return;
  isScored = true;
  handPane.parts.canvas.hidden = true;
  judged = null;
  beginHand();
  set("view", "me");
}

const WAYS = Object.entries({tiles: undefined, value: {}, rows: {rows: {}}});
const wayOfWin = () => won.stated === undefined ? "tiles" : won.stated.rows ? "rows" : "value";

function drawWays() {
  handPane.dataset.way = wayOfWin();
  const {values = [], rows = []} = judged || {};
  const chosen = wayOfWin(), stated = won.stated || {};
  return [
    field(labels.ways, WAYS.map(([name, value]) => press(labels["by" + name], () => say("stated", value), name === chosen, "by" + name))),
    chosen === "value" && field(labels.worth,
      values.map(value => press(total(value), () => say("stated", {value}), stated.value === value, "value" + value)),
      h("input", {
        type: "number", min: 0, max: 1e6, inputmode: "numeric", "aria-label": labels.othervalue, placeholder: labels.othervalue, "data-key": "value",
        value: stated.value === undefined || values.includes(stated.value) ? "" : stated.value,
        onchange: event => say("stated", event.target.value === "" ? {} : {value: Math.round(Number(event.target.value))}),
      })),
    chosen === "rows" && field(labels.rows, rows.map(row => h("button", {
      "data-key": "row-" + row.id, "aria-pressed": String(row.counts), disabled: row.may_change ? null : "",
      onclick: () => {
        const {[row.id]: count = 0, ...others} = stated.rows;
        say("stated", {rows: count < row.most ? {...others, [row.id]: count + 1} : others});
      },
    }, row.said))),
  ];
}

// On what a player may win, where the game knows: one touch says who won, and on whose tile.
const drawChances = () => field(labels.winner, judged.chances.map(chance => h("button", {
  "data-key": `chance${chance.winner}${chance.source}`,
  "aria-pressed": String(won.winner === chance.winner && won.source === chance.source),
  onclick: () => {
    won.from = chance.from ?? undefined;
    won.source = chance.source;
    say("winner", chance.winner);
  },
}, nameOf(chance.winner), ": ", chance.from === null ? labels.drawn : "← " + nameOf(chance.from) + " ", chance.tile && tile(chance.tile))));
