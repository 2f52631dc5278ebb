"use strict";
// A winning hand: photographed, read by the table's computer, corrected by touch, and scored there. It reaches the
// game only from a phone that holds a seat (remote.js). `won` holds the fields of the score request that a person has
// touched; the game settles `agreed`.
const PHOTO_PX_MAX = 2e6, SURE = 0.9, SCORE_PAUSE_MS = 200, READ_MAX_MS = 100000;
const WINDS = ["east", "south", "west", "north"];
const TILE_FIELDS = ["fortune", "winning_tile"];
const LASTING = ["winner", "source", "from", "dealer"];
let handPane = null, picked = "", inGame = "";
let held = [], winning = null, isWinSaid = false, chosen = null, keys = "", isRead = false, showsOut = false;
let won = {}, isScored = false, sent = null, isCorrected = false, scoring = 0, asked = 0;

const played = () => shown && shown.agreed ? shown : null;
const settled = () => played()?.agreed ?? {rules: picked};
const ruleSet = () => games[settled().rules];
const seats = () => (played() ?? ruleSet()).seats;
const nameOf = seat => (played()?.names ?? places)[seat];
const meldKinds = () => played()?.meld_kinds ?? ruleSet().melds;

// ---- the tiles of the hand

const isKind = code => code !== "back" && code !== "?";
const isFlower = code => code.endsWith("f");
const free = () => held.filter(each => !each.out && !each.meld && each.code !== "back");
const concealed = () => free().filter(each => !isFlower(each.code));
const melds = () => [...new Set(held.map(each => each.meld).filter(Boolean))];
const membersOf = meld => held.filter(each => each.meld === meld);
const winningTile = () => concealed().includes(winning) ? winning : concealed().at(-1);
const winsWithout = names => (won.situation || []).some(each => names.includes(each));
const notation = ({kind, codes}) => kind + codes.map(code => code[0]).sort().join("") + codes[0][1];

// A kong all of whose tiles are face down shows two of them.
function faceOf(one) {
  const members = one.meld ? membersOf(one.meld) : [one], at = members.indexOf(one);
  return members.length === 4 && members.every(each => each.code === "back") && at % 3 ? one.meld.codes[at] : one.code;
}

function takeReading(reading) {
  held = reading.tiles.map(({code, quad, p, alternatives}) =>
    ({code, quad, sure: p >= SURE, alternatives: alternatives.map(([each]) => each), out: false, meld: null}));
  const at = numbers => numbers.map(number => held[number - 1]);
  const {melds: laid = [], others = {tiles: []}, winning_tile: last = null} = reading.hand || {};
  for (const each of at(others.tiles)) each.out = each.code !== "back";
  for (const {kind, tiles: numbers, codes} of laid) {
    const meld = {kind, codes};
    for (const each of at(numbers)) each.meld = meld;
  }
  winning = last && held[last.tile - 1];
  isWinSaid = false;
  chosen = null;
  isCorrected = false;
}

function split(meld) {
  for (const each of membersOf(meld)) each.meld = null;
}

function correct(one, code) {
  const {meld} = one;
  if (meld && meld.kind === "c" && code !== one.code) split(meld);
  else if (meld) {
    meld.codes = meld.codes.map(() => code);
    for (const each of membersOf(meld)) if (each.code !== "back") Object.assign(each, {code, sure: true});
  }
  if (!meld || meld.kind === "c") Object.assign(one, {code, sure: true});
}

// The sets that this tile can be in, each with its members: the winning tile rather not among them.
function listSets(one) {
  if (one.meld || one.out || !isKind(one.code) || isFlower(one.code)) return [];
  const others = concealed().filter(each => each !== one).sort((a, b) => (a === winningTile()) - (b === winningTile()));
  const equal = [one, ...others.filter(each => each.code === one.code)];
  const backs = held.filter(each => each.code === "back" && !each.meld);
  const [rank, suit] = [Number(one.code[0]), one.code[1]];
  const sets = [];
  for (const kind of meldKinds()) {
    if (kind === "c" && suit !== "z") {
      for (let low = rank - 2; low <= rank; low++) {
        const codes = [0, 1, 2].map(step => low + step + suit);
        const members = codes.map(code => code === one.code ? one : others.find(each => each.code === code));
        if (members.every(Boolean)) sets.push({kind, codes, members});
      }
      continue;
    }
    const size = kind === "p" ? 3 : 4;
    const members = [...equal, ...(kind === "K" ? backs.slice(0, 2) : [])].slice(0, size);
    if (kind !== "c" && members.length === size) sets.push({kind, codes: Array(size).fill(one.code), members});
  }
  return sets;
}

function makeRequest() {
  const rules = ruleSet();
  const flowers = free().filter(each => isFlower(each.code) && rules.flowers);
  const request = {
    ...settled(), ...won, alternatives: false,
    hand: free().filter(each => !flowers.includes(each)).map(each => each.code), melds: melds().map(notation),
    winning_tile: winsWithout(rules.without_tile) ? null : winningTile()?.code ?? null,
  };
  if (flowers.length) request.flowers = flowers.map(each => each.code);
  return request;
}

// What a person has to say before the hand can be scored.
function findMissing() {
  const unread = winsWithout(ruleSet().flower_wins) || won.stated ? 0 :
    free().filter(each => each.code === "?").length + melds().filter(each => !each.codes.every(isKind)).length;
  if (unread) return labels.unread.replace("{count}", unread);
  if (won.winner === undefined) return labels.whowon;
  if (!won.source) return labels.whosetile;
  if (!entering() || wayOfWin() !== "value" || won.stated.value !== undefined) return "";
  return judged && !judged.values.length && judged.problem || labels.whatvalue;
}

// ---- the photo

async function readPhoto(file) {
  const {said, canvas} = handPane.parts;
  try {
    const picture = await createImageBitmap(file);
    beginHand();
    const scale = Math.min(1, Math.sqrt(PHOTO_PX_MAX / (picture.width * picture.height)));
    canvas.width = Math.floor(picture.width * scale);
    canvas.height = Math.floor(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    sent = await new Promise(done => canvas.toBlob(done, "image/jpeg", 0.9));
  } catch {
    said.textContent = await nameProblem(file);
    return;
  }
  canvas.hidden = false;
  await askReading();
}

// Another photo is of the same hand until that is scored.
function beginHand() {
  if (isScored) won = {};
  held = [];
  winning = chosen = sent = null;
  keys = "";
  isRead = isScored = showsOut = false;
  handPane.parts.score.replaceChildren();
  update();
}

async function nameProblem(file) {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer().catch(() => new ArrayBuffer(0))));
  if (head.startsWith("%PDF")) return labels.pdf;
  return /^.{4}ftyp(hei|hev|mif1|msf1)/s.test(head) ? labels.heic : labels.nophoto;
}

async function askReading() {
  const {said} = handPane.parts, picture = sent;
  said.textContent = labels.reading;
  try {
    const {ok, text} = await ask("read", {more: {rules: settled().rules}, maxMs: READ_MAX_MS, method: "POST", body: picture});
    const found = JSON.parse(text);
    if (picture !== sent) return;
    if (!ok) said.textContent = found.error;
    else if (found[0].error) said.textContent = labels.nophoto;
    else {
      isRead = true;
      takeReading(found[0]);
      said.textContent = labels.read.replace("{count}", held.length);
      update();
    }
  } catch {
    if (picture === sent) said.textContent = labels.lost;
  }
}

function drawPicture() {
  const {canvas, outlines, faces} = handPane.parts;
  outlines.setAttribute("viewBox", `0 0 ${canvas.width} ${canvas.height}`);
  const seen = held.filter(each => each.quad);
  outlines.replaceChildren(...seen.map(each => {
    const shape = document.createElementNS(SVG, "polygon");
    shape.setAttribute("points", each.quad.join(" "));
    shape.setAttribute("class", each.out ? "out" : each === chosen ? "chosen" : each.sure ? "sure" : "unsure");
    return shape;
  }));
  faces.replaceChildren(...seen.filter(each => !each.out).map(each => {
    const xs = each.quad.map(([x]) => x), top = Math.min(...each.quad.map(([, y]) => y));
    const face = tile(each.code);
    face.style.left = 100 * Math.min(...xs) / canvas.width + "%";
    face.style.bottom = 100 * (1 - top / canvas.height) + 1 + "%";
    face.style.width = 90 * (Math.max(...xs) - Math.min(...xs)) / canvas.width + "%";
    return face;
  }));
}

// A touch in the picture chooses the nearest tile, within two of its widths.
function touchPicture(event) {
  const {canvas} = handPane.parts, box = canvas.getBoundingClientRect();
  const scale = canvas.width / box.width;
  const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  const far = ({quad}) => Math.hypot(...[x, y].map((at, axis) => at - quad.reduce((sum, each) => sum + each[axis] / 4, 0)));
  const near = held.filter(each => each.quad).sort((a, b) => far(a) - far(b))[0];
  if (near && far(near) < 2 * Math.hypot(near.quad[1][0] - near.quad[0][0], near.quad[1][1] - near.quad[0][1])) choose(near);
}

// ---- what is touched

function choose(one) {
  chosen = one === chosen ? null : one;
  keys = chosen && !isKind(chosen.code) ? "correct" : "";
  update();
}

const choosesField = () => TILE_FIELDS.includes(keys);

function enter(code) {
  const isField = choosesField();
  if (isField) won[keys] = code;
  else if (keys === "add") held.push({code, quad: null, sure: true, alternatives: [], out: false, meld: null});
  else {
    correct(chosen, code);
    chosen = null;
  }
  isCorrected ||= !isField;
  if (keys !== "add") keys = "";
  update();
}

function say(name, value) {
  if (value === undefined) delete won[name];
  else won[name] = value;
  chosen = null;
  keys = "";
  if (won.from === won.winner) {
    delete won.from;
    if (won.source !== "self_draw") delete won.source;
  }
  update();
}

const press = (text, act, isOn, key) => h("button", {
  onclick: act, "aria-pressed": isOn === undefined ? null : String(isOn), "data-key": key,
}, text);
const key = (code, act, name, isOn, more = "") => h("button.key", {
  onclick: act, "data-key": name, "aria-pressed": isOn === undefined ? null : String(isOn),
  "aria-label": tiles[code] + (more === "new" ? ", " + labels.wins : ""),
}, tile(code, more));
const field = (label, ...choices) => h("div.field", {}, h("span.dim", {}, label), h("div.keys", {}, ...choices));

function drawHand() {
  const last = winsWithout(ruleSet().without_tile) ? null : winningTile();
  const row = (part, some) => some.length > 0 && h("div.keys", {"data-part": part}, some.map(each =>
    key(faceOf(each), () => choose(each), "tile" + held.indexOf(each), each === chosen, each === last ? "new" : each.sure ? "" : "unsure")));
  const out = held.filter(each => each.out || each.code === "back" && !each.meld);
  const {hand, chosen: about} = handPane.parts;
  hand.replaceChildren(...[
    row("concealed", concealed()), ...melds().map(each => row("meld", membersOf(each))),
    row("flowers", free().filter(each => isFlower(each.code))),
    out.length > 0 && h("div.keys", {}, press(labels.notcounted.replace("{count}", out.length), () => {
      showsOut = !showsOut;
      update();
    }, showsOut, "out")),
    showsOut && row("out", out),
    held.length > 0 && h("p.dim", {}, labels.touch),
    h("div.keys", {}, press(labels.add, () => {
      chosen = null;
      keys = keys === "add" ? "" : "add";
      update();
    }, keys === "add", "add")),
  ].filter(Boolean));
  about.replaceChildren(...(chosen ? drawChosen() : []), ...(keys && !(chosen && choosesField()) ? [drawKeys()] : []));
}

function drawChosen() {
  const one = chosen, others = one.alternatives.filter(code => isKind(code) && code !== one.code).slice(0, 4);
  const act = (text, name, does) => press(text, () => {
    does();
    chosen = null;
    isCorrected = true;
    update();
  }, undefined, name);
  return [
    h("div.keys", {"data-part": "alternatives"},
      others.map(code => key(code, () => enter(code), code)),
      press(labels.other, () => { keys = keys ? "" : "correct"; update(); }, Boolean(keys), "other")),
    h("div.keys", {"data-part": "acts"},
      concealed().includes(one) && isKind(one.code) && act(labels.wins, "wins", () => { winning = one; isWinSaid = true; }),
      listSets(one).map(set => h("button.set", {"data-key": set.kind, onclick: () => {
        const meld = {kind: set.kind, codes: set.codes};
        for (const each of set.members) each.meld = meld;
        chosen = null;
        isCorrected = true;
        update();
      }}, labels[set.kind], set.kind === "c" && row("run", set.codes))),
      one.meld && act(labels.split, "split", () => split(one.meld)),
      one.out ? act(labels.counts, "counts", () => { one.out = false; }) :
        one.quad === null ? act(labels.remove, "remove", () => { held = held.filter(each => each !== one); }) :
        !one.meld && one.code !== "back" && act(labels.leave, "leave", () => { one.out = true; })),
  ];
}

function drawKeys() {
  const codes = ruleSet().kinds.filter(code => !choosesField() || !isFlower(code));
  return h("div.board", {"data-part": "board"}, ["m", "p", "s", "z", "f"].map(suit => h("div.keys", {},
    codes.filter(code => code[1] === suit).map(code => key(code, () => enter(code), code)))));
}

// ---- how it was won

function drawWon() {
  const rules = ruleSet(), given = {...settled(), ...won}, isRobbed = won.source === "robbed_kong";
  const seatKeys = name => seats().map(seat =>
    press(nameOf(seat), () => say(name, seat), given[name] === seat, name + seat));
  const tellFrom = seat => {
    won.source = seat === undefined ? "self_draw" : isRobbed ? "robbed_kong" : "discard";
    say("from", seat);
  };
  const isForGame = entering(), knowsChances = isForGame && Boolean(judged && judged.chances.length);
  const asksFor = ({kind, name}) => !(played() && kind === "kongs") &&
    !(isForGame && (isRecorded() || kind === "pairs" || name in settled()));
  const claims = isForGame && !isRecorded() && melds().some(({kind}) => kind !== "K") && !won.stated;
  handPane.parts.ways.replaceChildren(...(isForGame ? drawWays().filter(Boolean) : []));
  handPane.parts.won.replaceChildren(...(held.length > 0 || won.stated ? [
    knowsChances ? drawChances() : field(labels.winner, seatKeys("winner")),
    !knowsChances && field(labels.wonby, press(labels.drawn, () => tellFrom(), won.source === "self_draw", "drawn"),
      seats().filter(seat => seat !== won.winner).map(seat =>
        press(nameOf(seat), () => tellFrom(seat), won.from === seat, "from" + seat)),
      won.from !== undefined && press(labels.robbed, () => say("source", isRobbed ? "discard" : "robbed_kong"), isRobbed, "robbed")),
    !knowsChances && won.stated && isRobbed && askFor({name: "winning_tile", label: labels.wins, kind: "tile"}, given),
    !isForGame && field(labels.dealership, seatKeys("dealer"), given.dealer === undefined && assumption(nameOf(seats()[0]))),
    ...rules.asked.filter(asksFor).map(each => askFor(each, given)),
    claims && field(labels.claimedfrom, seats().filter(seat => seat !== won.winner).map(seat =>
      press(nameOf(seat), () => say("claimed_from", won.claimed_from === seat ? undefined : seat), won.claimed_from === seat, "claimed" + seat))),
    !isRecorded() && field(labels.situation, Object.entries(rules.situations).map(([id, said]) => {
      const now = won.situation || [], isOn = now.includes(id);
      return press(said, () => say("situation", isOn ? now.filter(each => each !== id) : [...now, id]), isOn, id);
    })),
  ].filter(Boolean) : []));
}

const assumption = value => h("span.dim", {}, labels.assumed.replace("{what}", value));
const nameValue = ({kind, none, name}, value) => name === "dealer" ? nameOf(value) :
  kind === "wind" ? windNames[WINDS.indexOf(value)] : value === null || value === "" ? none : String(value);

function askFor(about, given) {
  const {name, label, kind, least, most, usual} = about;
  const value = given[name];
  if (kind === "tile") return field(label, h("button.key", {"data-key": name, "aria-label": label, onclick: () => {
    chosen = null;
    keys = keys === name ? "" : name;
    update();
  }}, tile(value || "?")));
  if (kind === "pairs" || kind === "kongs") return askForList(about, value || []);
  const values = kind === "wind" ? WINDS : Array.from({length: most - least + 1}, (_, at) => least + at);
  const assumed = labels.assumed.replace("{what}", nameValue(about, usual));
  return field(label, h("select", {"aria-label": label, "data-key": name, onchange: event =>
    say(name, event.target.value === "" ? undefined : values[event.target.value])},
    settled()[name] === undefined && h("option", {value: ""}, assumed),
    values.map((each, at) => h("option", {value: at, selected: each === value ? "" : null}, nameValue(about, each)))));
}

// Pairs of seats, or kongs of seats: what is entered can be touched away.
function askForList({name, label, kind}, value) {
  const ways = seats().flatMap(seat => [
    ...(kind === "kongs" ? ["K", "a"] : []).map(way => [way, seat]),
    ...seats().filter(from => from !== seat).map(from => ["k", seat, from]),
  ]);
  const write = ([way, seat, from]) =>
    nameOf(seat) + (from === undefined ? "" : " ← " + nameOf(from)) + (kind === "kongs" ? ": " + labels[way] : "");
  const encode = ([way, seat, from = null]) => kind === "kongs" ? {kind: way, seat, from} : [seat, from];
  const decode = each => kind === "kongs" ? [each.kind, each.seat, each.from ?? undefined] : ["k", ...each];
  return field(label,
    value.map((each, at) => press(write(decode(each)) + " ✕", () => say(name, value.filter((_, other) => other !== at)), true, name + at)),
    h("select", {"aria-label": label, "data-key": name, onchange: event => say(name, [...value, encode(ways[event.target.value])])},
      h("option", {value: ""}, "+"), ways.map((each, at) => h("option", {value: at}, write(each)))));
}

// ---- the score

async function askScore() {
  if (entering()) return judgeWin();
  const number = ++asked, missing = findMissing();
  if (!held.length || missing) return;
  try {
    const {text} = await ask("score", {method: "POST", body: JSON.stringify(makeRequest())});
    const found = JSON.parse(text);
    if (number === asked) drawScore(found);
  } catch {
    if (number === asked) drawScore({error: labels.lost});
  }
}

function drawScore({error, said, legal, payments, cash, assumed}) {
  const {score} = handPane.parts;
  if (error) return score.replaceChildren(h("p", {"data-part": "problem"}, error));
  isScored = legal;
  const about = name => name === "flowers" ? {name, label: labels.flowers, none: labels.none} :
    name === "dealer" ? {name, label: labels.dealership} : ruleSet().asked.find(each => each.name === name);
  const last = winsWithout(ruleSet().without_tile) || isWinSaid ? null : winningTile();
  const notes = [
    last && `${labels.wins}: ${tiles[last.code]}`, melds().every(({kind}) => kind === "K") && labels.noclaims,
    ...Object.entries(assumed).map(([name, value]) => `${about(name).label}: ${nameValue(about(name), value)}`),
  ].filter(Boolean);
  score.replaceChildren(...[
    h("h3", {"data-part": "worth"}, legal ? said.worth : labels.nothing),
    !legal && h("p", {"data-part": "reason"}, said.reason),
    h("table.lines", {}, said.lines.map(line => h("tr", {}, h("td", {}, line.said), h("td.number", {}, line.brings)))),
    h("table.payments", {}, payments.map((points, seat) => points !== 0 && h("tr", {"data-seat": seat},
      h("td", {}, nameOf(seat)),
      h("td.dim", {}, said.payers.filter(each => each.seat === seat).map(each => [...each.lines, each.said].join(" · ")).join("; ")),
      h("td.number." + gain(points), {}, signed(points))))),
    said.cash.map((name, at) => h("p.dim", {}, name + ": " + cash[at].payments.map((points, seat) =>
      points && nameOf(seat) + " " + signed(points)).filter(Boolean).join(", "))),
    notes.length > 0 && h("p", {"data-part": "assumed"}, labels.assumed.replace("{what}", notes.join(", "))),
    h("p.dim", {}, labels.nobooking),
  ].flat().filter(Boolean));
}

// ---- the page of the hand

function photo() {
  if (handPane) return handPane;
  const choose = (label, capture) => h("label.button", {}, label, h("input", {type: "file", accept: "image/*", capture, onchange: event => {
    if (event.target.files[0]) readPhoto(event.target.files[0]);
    event.target.value = "";
  }}));
  const outlines = document.createElementNS(SVG, "svg");
  const parts = {
    rules: h("div"), ways: h("div.held"), said: h("p.status.bytiles", {role: "status", "data-part": "read"}), canvas: h("canvas", {hidden: ""}), outlines,
    faces: h("div"), hand: h("div.held.bytiles"), chosen: h("div.held"), missing: h("p.status", {role: "status", "data-part": "missing"}),
    won: h("div.held"), score: h("div", {"data-part": "score", "aria-live": "polite"}),
  };
  handPane = h("section.panel.photo", {},
    h("p.dim.bytiles", {}, labels.photohelp), parts.rules, parts.ways,
    h("div.keys.bytiles", {}, choose(labels.take, "environment"), choose(labels.pick)),
    parts.said, h("div.picture.bytiles", {onclick: touchPicture}, parts.canvas, outlines, parts.faces),
    parts.hand, parts.chosen, parts.won, parts.missing, parts.score);
  handPane.parts = parts;
  picked = Object.keys(games)[0];
  return handPane;
}

// A newer state of the game changes the page of the hand only where it settles something else.
function followGame() {
  const now = JSON.stringify(played() && [shown.agreed, shown.names, shown.seats, shown.meld_kinds, entering() && shown.events]);
  if (now === inGame && handPane.parts.rules.firstChild) return;
  inGame = now;
  if (!played()) handPane.parts.rules.replaceChildren(field(labels.game, h("select", {
    "aria-label": labels.game, "data-key": "rules", onchange: event => {
      picked = event.target.value;
      changeRules();
    }}, Object.entries(games).map(([name, {title}]) => h("option", {value: name, selected: name === picked ? "" : null}, title)))));
  else handPane.parts.rules.replaceChildren(h("p", {}, shown.said.rules));
  changeRules();
}

// What was entered for another game stays where it means the same; an untouched reading is made again.
function changeRules() {
  const isSame = handPane.dataset.rules === settled().rules;
  handPane.dataset.rules = settled().rules;
  if (!isSame) won = Object.fromEntries(Object.entries(won).filter(([name, value]) =>
    LASTING.includes(name) && (typeof value !== "number" || seats().includes(value))));
  update();
  if (!isSame && isRead && !isCorrected) askReading();
}

function draw() {
  const {activeElement} = document, focused = activeElement && activeElement.dataset.key;
  drawPicture();
  drawHand();
  drawWon();
  const missing = held.length > 0 || won.stated ? findMissing() : "";
  handPane.parts.missing.textContent = missing;
  handPane.parts.score.hidden = Boolean(missing) || !(held.length || won.stated);
  const again = focused && [...handPane.querySelectorAll("[data-key]")].find(each => each.dataset.key === focused);
  if (again) again.focus({preventScroll: true});
  if (chosen || keys) handPane.parts.chosen.scrollIntoView({block: "nearest"});
}

function update() {
  draw();
  clearTimeout(scoring);
  asked++;
  scoring = setTimeout(askScore, SCORE_PAUSE_MS);
}
