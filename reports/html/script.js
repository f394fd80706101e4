"use strict";
// The page is there without this: it is for convenience alone, and stores nothing.
(function () {
  var root = document.documentElement;

  var theme = document.getElementById("theme");
  var themes = [["", "as the system"], ["light", "light"], ["dark", "dark"]], at = 0;
  theme.hidden = false;
  theme.addEventListener("click", function () {
    at = (at + 1) % themes.length;
    if (themes[at][0]) root.setAttribute("data-theme", themes[at][0]);
    else root.removeAttribute("data-theme");
    theme.firstElementChild.textContent = themes[at][1];
  });

  document.querySelectorAll("button.copy").forEach(function (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      var range = document.createRange(), selection = getSelection();
      range.selectNodeContents(button.previousElementSibling);
      selection.removeAllRanges();
      selection.addRange(range);
      if (document.execCommand("copy")) button.textContent = "Copied";
    });
  });

  // Headings sort the rows: numbers by their size, texts by their letters, what is empty last.
  document.querySelectorAll("[data-scripted]").forEach(function (e) { e.hidden = false; });
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var row = table.tHead.rows[table.tHead.rows.length - 1], body = table.tBodies[0];
    Array.prototype.forEach.call(row.cells, function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        Array.prototype.forEach.call(row.cells, function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var rows = Array.prototype.map.call(body.rows, function (tr, place) {
          var key = tr.cells[column].getAttribute("data-key");
          return { tr: tr, place: place, key: key, number: Number(key) };
        });
        rows.sort(function (a, b) {
          if ((a.key === null) !== (b.key === null)) return a.key === null ? 1 : -1;
          var order = isNaN(a.number) || isNaN(b.number) ? String(a.key).localeCompare(String(b.key)) : a.number - b.number;
          return (down ? -order : order) || a.place - b.place;
        });
        rows.forEach(function (r) { body.appendChild(r.tr); });
      });
    });
  });

  // Only what can be scrolled sideways needs to be reached by the keyboard.
  function reach() {
    document.querySelectorAll(".scroll").forEach(function (box) {
      if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    });
  }
  reach();
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);

  // Paper is white, whatever the theme. What is folded stays so: who wants it on paper opens it.
  var worn = null;
  addEventListener("beforeprint", function () {
    worn = root.getAttribute("data-theme");
    root.setAttribute("data-theme", "light");
  });
  addEventListener("afterprint", function () {
    if (worn) root.setAttribute("data-theme", worn);
    else root.removeAttribute("data-theme");
  });

  // The contents tell where the reader is.
  if (!("IntersectionObserver" in window)) return;
  var links = {}, seen = {}, current = null;
  document.querySelectorAll(".toc a").forEach(function (a) { links[a.getAttribute("href").slice(1)] = a; });
  var watcher = new IntersectionObserver(function (entries) {
    entries.forEach(function (e) { seen[e.target.id] = e.isIntersecting; });
    var first = Object.keys(links).find(function (id) { return seen[id]; });
    if (!first || links[first] === current) return;
    if (current) current.removeAttribute("aria-current");
    current = links[first];
    current.setAttribute("aria-current", "true");
    var bar = current.closest("nav"), item = current.parentElement;
    if (bar.scrollWidth > bar.clientWidth) bar.scrollLeft = item.offsetLeft - 16;
  }, { rootMargin: "-10% 0px -60% 0px" });
  Object.keys(links).forEach(function (id) {
    var target = document.getElementById(id);
    if (target) watcher.observe(target);
  });
})();
