// Keeps the page as the club is now, and its clocks running. It shows what the server sends, and makes none of it.
const POLL_MS = 2000, LATE_MS = 10000, TICK_MS = 250, LOST_AFTER = 2;
const root = document.documentElement, notice = document.getElementById("notice");
const query = new URLSearchParams(location.search);
let failures = 0, isTyped = Boolean(document.querySelector("[data-held]")), ahead_s = Number(root.dataset.now) - performance.now() / 1000;

const main = () => document.getElementById("main");

function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

function ask() {
  const request = new XMLHttpRequest();
  request.open("GET", location.href);
  request.responseType = "document";
  request.timeout = LATE_MS;
  request.setRequestHeader("Companion-Seen", main().dataset.seen);
  request.onload = () => take(request);
  request.onerror = request.ontimeout = lose;
  request.onloadend = () => setTimeout(ask, POLL_MS);
  request.send();
}

function take(request) {
  const version = request.getResponseHeader("Companion-Page");
  const newer = request.response && request.response.getElementById("main");
  if (request.status === 403) return say(notice.dataset.unknown);
  if (!version || (request.status !== 204 && (request.status >= 500 || !newer))) return lose();
  if (version !== root.dataset.version && !isTyped) return location.reload();
  failures = 0;
  say("");
  ahead_s = Number(request.getResponseHeader("Companion-Now")) - performance.now() / 1000;
  if (newer && !isTyped && !main().contains(document.activeElement?.closest("form"))) show(newer);
}

function lose() {
  failures += 1;
  if (failures >= LOST_AFTER) say(notice.dataset.lost);
}

const list = () => [...main().querySelectorAll("a,button,summary")];

function show(newer) {
  const at = list().indexOf(document.activeElement);
  main().replaceWith(document.adoptNode(newer));
  if (at >= 0) list()[at]?.focus({preventScroll: true});
  tick();
}

function write(seconds) {
  const whole = Math.max(0, Math.floor(seconds)), two = number => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return (hours ? hours + ":" + two(minutes) : minutes) + ":" + two(whole % 60);
}

function tick() {
  for (const clock of document.querySelectorAll("[data-until]")) {
    const left_s = clock.dataset.until - ahead_s - performance.now() / 1000;
    clock.textContent = left_s > 0 ? write(left_s) : clock.dataset.over;
    clock.classList.toggle("over", left_s <= 0);
  }
}

const prefersLight = matchMedia("(prefers-color-scheme: light)");
const button = document.getElementById("theme");

function dress() {
  const theme = query.get("theme") || (prefersLight.matches ? "light" : "dark"), other = theme === "light" ? "dark" : "light";
  root.dataset.theme = theme;
  button.textContent = button.dataset[other];
  button.hidden = false;
  button.onclick = () => change("theme", other);
}

function change(name, value) {
  query.set(name, value);
  location.search = query;
}

for (const link of document.querySelectorAll("[data-set]")) {
  link.addEventListener("click", event => {
    event.preventDefault();
    change(link.dataset.set, link.dataset.value);
  });
}
document.addEventListener("input", event => { isTyped ||= Boolean(event.target.closest("form")); });
document.addEventListener("click", event => { if (event.target.closest("[data-print]")) print(); });
prefersLight.addEventListener("change", dress);
dress();
tick();
setInterval(tick, TICK_MS);
setTimeout(ask, POLL_MS);
