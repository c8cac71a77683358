// The part of the format that a page of a task needs: an episode begins, and ends with a reward. Written for these tests.
var core = { EPISODE_MAX_TIME: 10000 };
var WOB_REWARD_GLOBAL = 0, WOB_RAW_REWARD_GLOBAL = 0, WOB_DONE_GLOBAL = false, WOB_EPISODE_ID = 0;

core.startEpisode = function () {
  var cover = document.getElementById("sync-task-cover") || document.body.appendChild(document.createElement("div"));
  cover.id = "sync-task-cover";
  cover.textContent = "START";
  cover.style.cssText = "position:fixed;inset:0;background:#cfc;display:block";
  cover.onclick = core.startEpisodeReal;
};
core.startEpisodeReal = function () {
  document.getElementById("sync-task-cover").style.display = "none";
  WOB_DONE_GLOBAL = false;
  WOB_REWARD_GLOBAL = WOB_RAW_REWARD_GLOBAL = 0;
  WOB_EPISODE_ID++;
  genProblem();
  core.began = Date.now();
  clearTimeout(core.timer);
  core.timer = setTimeout(function () { core.endEpisode(-1); }, core.EPISODE_MAX_TIME);
};
core.endEpisode = function (reward, timed) {
  if (WOB_DONE_GLOBAL) return;
  clearTimeout(core.timer);
  WOB_RAW_REWARD_GLOBAL = reward;
  WOB_REWARD_GLOBAL = reward > 0 && timed ? reward * Math.max(0, 1 - (Date.now() - core.began) / core.EPISODE_MAX_TIME) : reward;
  WOB_DONE_GLOBAL = true;
  core.startEpisode();
};
window.onload = core.startEpisode;
