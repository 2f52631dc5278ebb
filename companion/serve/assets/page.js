// Shows the newest state of a game. Every text becomes a text node: nothing of it is ever read as HTML.
const {page, language, languages, labels, tiles, games, places, windNames} = JSON.parse(document.getElementById("data").textContent);
const VIEWS = ["table", "scores", "me", "television", "photo", "camera"];
const SILENT_MS = 40000, LOST_MS = 3000, AGAIN_MS = 5000, ANSWER_MAX_MS = 25000;
const query = new URLSearchParams(location.search);
const byId = name => document.getElementById(name);
let shown = null, stream = null, heardMs = 0, lostTimer = 0;

// ---- elements

function h(kind, name, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(name || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat(9).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

function tile(code, more = "") {
  const name = code || "?";
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("class", `tile ${name === "back" ? "back" : ""} ${more}`);
  element.setAttribute("viewBox", "0 0 120 160");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", tiles[name] || name);
  element.dataset.code = name;
  if (name !== "back") {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", "#t" + (name === "?" ? "_" : name));
    element.append(use);
  }
  return element;
}

const row = (part, codes, mark) =>
  h("div.tiles", {"data-part": part}, codes.map((code, at) => tile(code, mark === at ? "new" : "")));

function meldTiles(meld) {
  const codes = [...meld.slice(1, -1)].map(rank => rank + meld.slice(-1));
  if (meld[0] !== "K") return codes;
  return meld.includes("?") ? Array(4).fill("back") : ["back", codes[1], codes[2], "back"];
}

const signed = points => (points > 0 ? "+" : points < 0 ? "−" : "") + Math.abs(points).toLocaleString("en");
const total = points => (points < 0 ? "−" : "") + Math.abs(points).toLocaleString("en");
const gain = points => points > 0 ? "gain" : points < 0 ? "loss" : "even";

// ---- parts

const onTurn = (game, seat) => Boolean(game.state.playing && game.state.turn === seat);

function marks(game, seat) {
  const player = game.state.players[seat];
  return [
    game.state.dealer === seat && h("span.mark.dealer", {}, labels.dealer),
    player && player.ready && h("span.mark.ready", {}, labels.ready),
  ];
}

function hand(game, seat) {
  const player = game.state.players[seat];
  if (!player) return null;
  const melds = game.state.melds[seat].map(meld => {
    const group = row("meld", meldTiles(meld));
    group.dataset.meld = meld;
    return group;
  });
  const open = player.shown.length > 0;
  return h("div.hand", {},
    open && row("shown", player.shown),
    !open && player.concealed > 0 && h("span.count", {
      "data-part": "concealed", "data-count": player.concealed,
      "aria-label": labels.concealed.replace("{count}", player.concealed),
    }, tile("back"), "×" + player.concealed),
    melds,
    game.state.flowers[seat].length > 0 && row("flowers", game.state.flowers[seat]),
  );
}

function panel(game, seat, place) {
  const offer = game.state.offer;
  const river = game.state.rivers[seat];
  const isOffered = game.state.playing && offer && offer.kind === "discard" && offer.seat === seat;
  return h("section.panel." + place + (onTurn(game, seat) ? ".turn" : ""), {"data-seat": seat},
    h("h2", {},
      h("span.name", {}, game.names[seat]), marks(game, seat),
      h("span.points", {}, total(game.scores.points[seat]))),
    hand(game, seat),
    h("div.river", {"aria-label": labels.discards}, row("river", river, isOffered ? river.length - 1 : -1)));
}

function centre(game) {
  const {left, fortune, playing} = game.state;
  return h("section.centre", {},
    h("p.status", {"data-part": "status"}, game.said.status),
    playing && h("p.wall", {}, h("b", {"data-part": "left"}, String(left)), " ", game.said.left),
    fortune && h("p.wild", {}, labels.wild, " ", tile(fortune)));
}

function winParts(game, win) {
  const concealed = win.tile && win.concealed.length ? win.concealed.slice(0, -1) : win.concealed;
  return [
    h("h3", {}, win.said),
    h("div.hand", {},
      row("won", concealed), win.melds.map(codes => row("meld", codes)),
      win.tile && win.concealed.length > 0 && row("winning", [win.tile], 0),
      win.flowers.length > 0 && row("flowers", win.flowers)),
    h("table.lines", {}, win.lines.map(line => h("tr", {},
      h("td", {}, line.said + (line.count > 1 ? " ×" + line.count : "")), h("td.number", {}, line.brings)))),
    h("table.payments", {}, win.payments.map((points, seat) => (points !== 0) && h("tr", {"data-seat": seat},
      h("td", {}, game.names[seat]),
      h("td.dim", {}, win.payers.filter(each => each.seat === seat).map(each => [...each.lines, each.said].join(" · ")).join("; ")),
      h("td.number." + gain(points), {}, signed(points))))),
  ];
}

const lastWin = game => h("section.panel.win", {"data-part": "win"},
  game.wins.length ? game.wins.map(win => winParts(game, win)) : h("p.dim", {}, labels.nowin));

function totals(game) {
  const {points, won, money} = game.scores;
  const differ = money || won.some((each, seat) => each !== points[seat]);
  return h("table.totals", {}, game.seats.map(seat => h("tr" + (onTurn(game, seat) ? ".turn" : ""), {"data-seat": seat},
    h("td", {}, h("span.name", {}, game.names[seat]), marks(game, seat)),
    h("td.number", {"data-part": "points"}, total(points[seat])),
    differ && h("td.number." + gain(won[seat]), {"data-part": "won"}, money ? money[seat] : signed(won[seat])))));
}

const settling = game => game.scores.said.length > 0 && h("section.panel", {"data-part": "settle"},
  h("h3", {}, labels.settle), game.scores.said.map(said => h("p", {}, said)), h("p.dim", {}, game.scores.currency));

// ---- views

const PLACES = ["near", "right", "far", "left"];

function table(game, seat = 0) {
  const order = [0, 1, 2, 3].map(turn => (seat + turn) % 4);
  return h("div.table", {},
    centre(game),
    order.map((each, at) => game.seats.includes(each) && game.state.rivers && panel(game, each, PLACES[at])));
}

function scores(game) {
  return h("div.scores", {},
    h("section.panel", {}, h("p.status", {"data-part": "status"}, game.said.status), totals(game)),
    lastWin(game), settling(game),
    h("section.panel", {}, h("h3", {}, labels.hands),
      h("table.hands", {}, [...game.scores.hands].reverse().map(each => h("tr", {},
        h("td.dim", {}, String(each.number || "")), h("td", {}, each.said),
        h("td.number", {}, game.seats.map(seat => h("span." + gain(each.points[seat]), {}, signed(each.points[seat]), " "))))))));
}

function television(game) {
  const {offer, left, playing} = game.state;
  const win = !playing && game.last_win && game.last_win.hand === game.state.hand ? game.last_win : null;
  return h("div.television", {},
    h("div.big", {},
      h("p.status", {"data-part": "status"}, game.said.status),
      playing && h("p.wall", {}, h("b", {"data-part": "left"}, String(left)), " ", game.said.left),
      playing && offer && offer.tile && h("div.offer", {"data-part": "offer"}, tile(offer.tile)),
      win && h("div.hand", {}, row("won", win.concealed), win.melds.map(codes => row("meld", codes))),
      win && h("table.lines", {}, win.lines.slice(0, 5).map(line => h("tr", {},
        h("td", {}, line.said + (line.count > 1 ? " ×" + line.count : "")), h("td.number", {}, line.brings))))),
    totals(game));
}

function overlay(game) {
  const {offer, left, playing} = game.state;
  return h("div.overlay", {},
    h("div.strip", {},
      game.seats.map(seat => h("span.player" + (onTurn(game, seat) ? ".turn" : ""), {"data-seat": seat},
        h("span.name", {}, game.names[seat]), h("b", {"data-part": "points"}, total(game.scores.points[seat])))),
      h("span.rest", {}, playing && offer && offer.tile ? tile(offer.tile) : null,
        playing ? h("b", {"data-part": "left"}, String(left)) : null,
        h("span.status", {"data-part": "status"}, game.said.status))));
}

function me(game) {
  const seat = Number(query.get("seat") ?? -1);
  const choice = h("nav.seats", {"aria-label": labels.choose}, game.seats.map(each =>
    h("button", {"aria-pressed": String(each === seat), onclick: () => set("seat", each)}, game.names[each])));
  if (!game.seats.includes(seat)) return h("div.me", {}, h("section.panel", {}, h("h3", {}, labels.choose), choice));
  const own = game.scores.settle_up
    .map((each, at) => (each.from === seat || each.to === seat) && h("p", {}, game.scores.said[at]));
  const {won, money} = game.scores;
  return h("div.me", {}, choice,
    h("section.panel.own", {},
      onTurn(game, seat) && h("p.banner", {}, labels.turn),
      h("p.sum", {}, h("b", {"data-part": "points"}, total(game.scores.points[seat])), " ",
        h("span." + gain(won[seat]), {"data-part": "won"}, money ? money[seat] : signed(won[seat]))),
      own),
    table(game, seat), lastWin(game));
}

const SHOW = {table, scores, television, overlay, me, photo, camera};
const view = () => query.get("view") in SHOW ? query.get("view") : "table";

// ---- the page

function set(name, value) {
  query.set(name, value);
  history.replaceState(null, "", "?" + query);
  show();
}

const title = h("p.title");
let headed = "";

// The buttons stay as they are while they are used; only the title follows the game.
function header(game) {
  const isLight = matchMedia("(prefers-color-scheme: light)").matches;
  const theme = query.get("theme") || (isLight ? "light" : "dark");
  const other = theme === "light" ? "dark" : "light";
  title.textContent = game && game.said ? [game.said.rules, game.said.deal].filter(Boolean).join(" · ") : "";
  if (headed === view() + theme) return;
  headed = view() + theme;
  document.body.dataset.view = view();
  document.documentElement.dataset.theme = theme;
  const choice = h("select", {"aria-label": labels.language, onchange: event => {
    query.set("language", event.target.value);
    location.search = "?" + query;
  }}, Object.entries(languages).map(([code, name]) =>
    h("option", {value: code, selected: code === language ? "" : null}, name)));
  byId("head").replaceChildren(
    h("nav", {}, VIEWS.map(name =>
      h("button", {"aria-pressed": String(name === view()), onclick: () => set("view", name)}, labels[name]))),
    title,
    h("span.choices", {}, choice, h("button", {onclick: () => set("theme", other)}, labels[other])));
}

function show() {
  header(shown);
  const main = byId("main");
  const said = shown ? shown.trouble || shown.said.status : "";
  if (byId("said").textContent !== said) byId("said").textContent = said;
  if (view() !== "camera" && isFilming) stopFilming();
  if (!shown) main.replaceChildren(h("p.waiting", {}, labels.waiting));
  else if (view() === "photo") {
    if (main.firstChild !== photo()) main.replaceChildren(photo());
    followGame();
  }
  else if (view() === "camera") {
    if (main.firstChild !== camera()) main.replaceChildren(camera());
  }
  else if (!shown.state) main.replaceChildren(h("p.waiting", {"data-part": "trouble"}, shown.trouble));
  else main.replaceChildren(SHOW[view()](shown));
  main.dataset.number = shown ? shown.number : "";
  drawRemote();
  findOwnSeat();
}

function notice(text, withReload) {
  const element = byId("notice");
  element.hidden = !text;
  element.replaceChildren(text || "",
    withReload ? h("button", {onclick: () => location.reload()}, labels.reload) : "");
}

// ---- the connection

function address(path, more) {
  const asked = new URLSearchParams({language, page, ...more});
  if (query.has("token")) asked.set("token", query.get("token"));
  return path + "?" + asked;
}

// The answer with its text, unless it takes too long, as where the table's computer sleeps.
async function ask(path, {more, maxMs = ANSWER_MAX_MS, ...options} = {}) {
  const limit = new AbortController(), timer = setTimeout(() => limit.abort(), maxMs);
  try {
    const answer = await fetch(address(path, more), {...options, signal: limit.signal});
    return {ok: answer.ok, status: answer.status, text: await answer.text()};
  } finally { clearTimeout(timer); }
}

function expectAnswer() {
  lostTimer ||= setTimeout(() => notice(labels.lost), LOST_MS);
}

function hear() {
  heardMs = Date.now();
  clearTimeout(lostTimer);
  lostTimer = 0;
}

function connect() {
  if (stream) stream.close();
  stream = new EventSource(address("events"));
  hear();
  expectAnswer();
  stream.addEventListener("state", event => {
    hear();
    shown = JSON.parse(event.data);
    notice("");
    show();
  });
  stream.addEventListener("alive", () => { hear(); notice(""); });
  stream.addEventListener("refused", event => { hear(); notice(JSON.parse(event.data).error); });
  stream.addEventListener("outdated", () => { stream.close(); notice(labels.outdated, true); });
  stream.onerror = () => {
    if (!byId("notice").textContent) expectAnswer();
    if (stream.readyState === EventSource.CLOSED) setTimeout(findOut, AGAIN_MS);
  };
}

// The events were refused: the answer to a plain request says why.
async function findOut() {
  let status = 0;
  try { status = (await ask("state")).status; } catch { /* it is not there: try again */ }
  if (status === 403) notice(labels.unknown);
  else if (status === 409) notice(labels.outdated, true);
  else if (status === 200) connect();
  else setTimeout(findOut, AGAIN_MS);
}

function wake() {
  if (document.visibilityState === "visible" && Date.now() - heardMs > SILENT_MS / 2) connect();
}

setInterval(() => { if (Date.now() - heardMs > SILENT_MS && stream.readyState !== EventSource.CLOSED) connect(); }, AGAIN_MS);
document.addEventListener("visibilitychange", wake);
addEventListener("online", connect);
addEventListener("pageshow", event => { if (event.persisted) connect(); });
addEventListener("click", event => {
  if (view() === "television" && !event.target.closest("header")) document.body.classList.toggle("bare");
});
matchMedia("(prefers-color-scheme: light)").addEventListener("change", show);
recallSeat();
show();
connect();
