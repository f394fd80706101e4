// Returns what is wrong with the page, as a list of sentences.
(function () {
  "use strict";
  var faults = [];
  function fault(text) { if (faults.length < 20) faults.push(text); }
  function name(e) {
    return e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.className && e.className.baseVal === undefined ? "." + e.className : "") +
      " " + JSON.stringify((e.textContent || "").trim().slice(0, 40));
  }
  function all(selector) { return Array.from(document.querySelectorAll(selector)); }
  function shown(e) { return e.checkVisibility ? e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) : e.getClientRects().length > 0; }

  var root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    fault("the page is " + root.scrollWidth + " wide, the screen " + root.clientWidth);
    all("body *").forEach(function (e) {
      if (!e.closest(".scroll,pre,.toc") && e.getBoundingClientRect().right > root.clientWidth + 0.5) fault("too wide: " + name(e));
    });
  }

  // Structure.
  ["main", "nav[aria-label]", "body > header", "body > footer"].forEach(function (s) {
    if (document.querySelectorAll(s).length !== 1) fault("there is not one " + s);
  });
  if (!root.lang) fault("the page has no language");
  if (!document.title) fault("the page has no title");
  var last = 0;
  all("h1,h2,h3,h4,h5,h6").forEach(function (h) {
    var level = Number(h.tagName[1]);
    if (level > last + 1) fault("a heading of level " + level + " after one of level " + last + ": " + name(h));
    if (!h.textContent.trim()) fault("an empty heading: " + name(h));
    last = level;
  });
  if (all("h1").length !== 1) fault(all("h1").length + " headings of level 1");
  var ids = {};
  all("[id]").forEach(function (e) {
    if (ids[e.id]) fault("the id " + e.id + " is there twice");
    ids[e.id] = true;
  });
  all("a").forEach(function (a) {
    var target = a.getAttribute("href");
    if (!target || target[0] !== "#") fault("a link leaves the page: " + target);
    else if (!ids[decodeURIComponent(target.slice(1))]) fault("a link leads nowhere: " + target);
  });
  all("[aria-labelledby]").forEach(function (e) {
    if (!ids[e.getAttribute("aria-labelledby")]) fault("named by nothing: " + name(e));
  });
  all("script[src],link[href],img,iframe,object,embed,video,audio,base,form").forEach(function (e) { fault("a foreign part: " + name(e)); });
  all("main script,main style,nav script,nav style").forEach(function (e) { fault("something slipped in: " + name(e)); });
  all("*").forEach(function (e) {
    Array.from(e.attributes).forEach(function (a) { if (/^on/i.test(a.name)) fault("a handler: " + name(e)); });
  });

  // Charts and tables.
  all("svg").forEach(function (s) {
    if (s.getAttribute("aria-hidden") === "true") return;
    if (!s.closest("figure")) fault("a chart outside of a figure");
    if (s.getAttribute("role") !== "img" || !s.querySelector("title")) fault("a chart without a name: " + name(s));
  });
  all("figure").forEach(function (f) {
    if (!f.querySelector("table tbody tr")) fault("a chart without a table: " + f.id);
    if (f.querySelectorAll("svg").length && !Array.from(f.querySelectorAll("svg")).some(shown)) fault("a chart that nobody sees: " + f.id);
  });
  all("table").forEach(function (t) {
    var columns = -1;
    Array.from(t.rows).forEach(function (r) {
      var n = Array.from(r.cells).reduce(function (sum, c) { return sum + c.colSpan; }, 0);
      if (columns >= 0 && n !== columns) fault("rows of " + columns + " and " + n + " cells in " + name(t));
      columns = n;
    });
    if (!t.querySelector("th[scope=col]")) fault("a table without headings: " + name(t));
    if (!t.querySelector("tbody tr")) fault("an empty table: " + name(t));
  });
  all("th").forEach(function (th) { if (!th.textContent.trim()) fault("an empty heading of a table: " + name(th.closest("table"))); });
  all("dl").forEach(function (d) { if (!d.querySelector("dt") || !d.querySelector("dd")) fault("an empty list of facts: " + name(d)); });

  // What is scrolled sideways is named, and reached by the keyboard.
  all("body *").forEach(function (e) {
    var style = getComputedStyle(e);
    if (!/auto|scroll/.test(style.overflowX) || !shown(e) || e.scrollWidth <= e.clientWidth) return;
    if (!e.getAttribute("aria-label")) fault("scrolled and without a name: " + name(e));
    if (e.tabIndex < 0 && !e.querySelector("a,button")) fault("scrolled and out of reach: " + name(e));
  });

  // Focus is seen, and targets are large enough.
  all("a,button,summary,[tabindex='0']").filter(shown).slice(0, 60).forEach(function (e) {
    e.focus({ preventScroll: true });
    var style = getComputedStyle(e);
    if (document.activeElement !== e) fault("cannot have the focus: " + name(e));
    else if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) fault("focus is not seen: " + name(e));
    if (e.matches("a,button,summary") && !e.closest(".outcomes,p")) {
      var box = e.getBoundingClientRect();
      if (box.height < 24 || box.width < 24) fault("too small to be hit: " + name(e) + " " + box.width + " x " + box.height);
    }
  });
  if (document.activeElement) document.activeElement.blur();

  // Contrast, of WCAG 2.2: text stands out from its ground by 4.5 to 1.
  function rgba(text) {
    var n = text.match(/[\d.]+/g).map(Number);
    return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1];
  }
  function over(top, below) {
    return [0, 1, 2].map(function (i) { return top[i] * top[3] + below[i] * (1 - top[3]); }).concat(1);
  }
  function ground(e) {
    var layers = [];
    for (; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce(function (below, top) { return over(top, below); }, rgba("rgb(255,255,255)"));
  }
  function light(c) {
    var l = c.slice(0, 3).map(function (x) { x /= 255; return x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4); });
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
  }
  var judged = {};
  var walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (var node = walker.nextNode(); node; node = walker.nextNode()) {
    var e = node.parentElement;
    if (!node.data.trim() || /^(SCRIPT|STYLE|title|desc)$/.test(e.tagName) || !shown(e)) continue;
    var style = getComputedStyle(e), color = e instanceof SVGElement ? style.fill : style.color;
    if (!/^rgb/.test(color)) continue;
    var below = ground(e), key = color + below;
    if (judged[key]) continue;
    judged[key] = true;
    var a = light(over(rgba(color), below)), b = light(below);
    var ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) fault("contrast " + ratio.toFixed(2) + " of " + color + " on " + below.slice(0, 3).map(Math.round) + ": " + name(e));
  }
  return faults;
})()
