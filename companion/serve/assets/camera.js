// The phone as the table's camera: it sends one picture after the other, each when the table asks for it.
const FILM_PX_MAX = 1920, FILM_QUALITY = .85, ANSWER_MS = 30000, FRAME_MS = 500, REST_MS = 1000, REST_MAX_MS = 15000;
const phone = Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(16).padStart(2, "0")).join("");
const CAMERA_TROUBLES = {NotAllowedError: "notallowed", NotFoundError: "nocamera", NotReadableError: "camerainuse"};
let cameraPane = null, isFilming = false, films = 0, filming = null, lock = null, restMs = REST_MS, endRest = () => {};
const viewfinder = h("video", {playsinline: "", muted: "", hidden: ""});
viewfinder.muted = true;
const filmSaid = h("p.status", {"data-part": "filmed", "aria-live": "polite"});
const filmKey = h("button", {"data-key": "film", onclick: () => isFilming ? stopFilming() : film()});

function camera() {
  if (cameraPane) return cameraPane;
  cameraPane = h("div.camera");
  if (navigator.mediaDevices?.getUserMedia) {
    cameraPane.append(h("p.dim", {}, labels.filmhelp), viewfinder, filmSaid, filmKey);
    filmKey.textContent = labels.film;
  } else {
    cameraPane.append(h("p", {}, labels.encrypt));
    showEncrypted();
  }
  return cameraPane;
}

async function showEncrypted() {
  try {
    const {encrypted} = JSON.parse((await ask("camera")).text);
    if (!encrypted) return;
    const link = new URL(encrypted.address);
    for (const [name, value] of query) link.searchParams.set(name, value);
    cameraPane.append(
      h("p", {}, h("a.button", {href: link.href}, labels.openencrypted)),
      h("p", {}, labels.warned), h("p.fingerprint", {"data-part": "fingerprint"},
        encrypted.fingerprint.match(/..:?/g).map(byte => [byte, h("wbr")])));
  } catch { setTimeout(showEncrypted, AGAIN_MS); }
}

function stopFilming(said = "") {
  isFilming = false;
  filming?.abort();
  endRest();
  lock?.release().catch(() => {});
  lock = null;
  for (const track of viewfinder.srcObject?.getTracks() ?? []) track.stop();
  viewfinder.srcObject = null;
  viewfinder.hidden = true;
  filmSaid.textContent = said;
  filmKey.textContent = labels.film;
}

async function film() {
  const number = ++films, goesOn = () => isFilming && number === films;
  isFilming = true;
  filmKey.textContent = labels.stop;
  filmSaid.textContent = labels.waiting;
  let picture = null;
  while (goesOn()) {
    try {
      while (document.hidden && goesOn()) await rest(REST_MAX_MS);
      await openCamera(goesOn);
      if (!goesOn()) return;
      const answer = await sendPicture(picture);
      restMs = REST_MS;
      picture = answer.send ? await takePicture() : null;
      if (goesOn()) filmSaid.textContent = answer.used ? labels.filming : labels.notused;
    } catch (problem) {
      picture = null;
      if (!goesOn()) return;
      const trouble = CAMERA_TROUBLES[problem.name];
      if (trouble) return stopFilming(labels[trouble]);
      filmSaid.textContent = problem.said ?? labels.lost;
      await rest(restMs);
      restMs = Math.min(2 * restMs, REST_MAX_MS);
    }
  }
}

const rest = pauseMs => new Promise(resolve => {
  const timer = setTimeout(resolve, pauseMs);
  endRest = () => { clearTimeout(timer); resolve(); };
});

// A person may stop it while the browser still asks whether it may use the camera.
async function openCamera(goesOn) {
  if (viewfinder.srcObject?.getVideoTracks()[0]?.readyState !== "live") {
    const stream = await navigator.mediaDevices.getUserMedia(
      {video: {facingMode: "environment", width: {ideal: 1920}, height: {ideal: 1080}}});
    if (!goesOn()) return stream.getTracks().forEach(track => track.stop());
    viewfinder.srcObject = stream;
    viewfinder.hidden = false;
  }
  if (viewfinder.paused) await viewfinder.play();
  if (!lock || lock.released) {
    const held = await navigator.wakeLock?.request("screen").catch(() => null);
    if (goesOn()) lock = held;
    else held?.release();
  }
}

// The answer to the picture; `said` of what is thrown is why there is none.
async function sendPicture(picture) {
  filming = new AbortController();
  const timer = setTimeout(() => filming.abort(), ANSWER_MS);
  try {
    const answer = await fetch(address("camera", {phone}), {method: "POST", body: picture, signal: filming.signal});
    if (answer.ok) return await answer.json();
    throw {said: answer.status === 403 ? labels.unknown : (await answer.json()).error};
  } finally { clearTimeout(timer); }
}

async function takePicture() {
  await new Promise(resolve => {
    setTimeout(resolve, FRAME_MS);
    if (viewfinder.requestVideoFrameCallback) viewfinder.requestVideoFrameCallback(resolve);
    else requestAnimationFrame(resolve);
  });
  const {videoWidth, videoHeight} = viewfinder, scale = Math.min(1, FILM_PX_MAX / Math.max(videoWidth, videoHeight));
  const canvas = h("canvas", {width: Math.round(scale * videoWidth), height: Math.round(scale * videoHeight)});
  canvas.getContext("2d").drawImage(viewfinder, 0, 0, canvas.width, canvas.height);
  return new Promise(resolve => canvas.toBlob(resolve, "image/jpeg", FILM_QUALITY));
}

// After a lock screen or another network, an answer that was on its way may never come.
function wakeFilm() {
  if (!isFilming || document.hidden) return;
  restMs = REST_MS;
  filming?.abort();
  endRest();
}
document.addEventListener("visibilitychange", wakeFilm);
addEventListener("online", wakeFilm);
