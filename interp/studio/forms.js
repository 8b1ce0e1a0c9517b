/* Forms in which one says what is to be drawn: a few fields, kept open with the reason where it cannot be. */

const $ = (id) => document.getElementById(id);

/* A choice of these; what was chosen stays so where it is among them. */
export function drawChoice(select, names) {
  const before = select.value;
  select.replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), {value: name, textContent: name})));
  if (names.includes(before)) select.value = before;
}

/* A field is {name, label, value, hint, note, options, known, group}: with options it is a choice, of texts or of {value,
 * text}; known are texts that may be meant; those of one group stand below its name. */
function field(one) {
  const id = "field-" + one.name, box = document.createElement("div"), label = document.createElement("label");
  const input = document.createElement(one.options ? "select" : "input");
  Object.assign(label, {htmlFor: id, textContent: one.label});
  Object.assign(input, {id, name: one.name, required: !!one.required});
  if (one.options)
    input.append(
        ...one.options.map((value) => Object.assign(
                               document.createElement("option"),
                               {value: value.value || value, textContent: value.text || value})));
  else Object.assign(input, {autocomplete: "off", spellcheck: false, placeholder: one.hint || ""});
  if (one.value !== undefined) input.value = one.value;
  box.append(label, input);
  if (one.note) {
    const note =
        Object.assign(document.createElement("div"), {className: "soft", id: "note-" + id, textContent: one.note});
    input.setAttribute("aria-describedby", note.id);
    box.append(note);
  }
  if (one.known && one.known.length) {
    const list = document.createElement("datalist");
    list.id = "known-" + one.name;
    list.append(...one.known.map((value) => Object.assign(document.createElement("option"), {value})));
    input.setAttribute("list", list.id);
    box.append(list);
  }
  return box;
}

function grouped(fields) {
  const list = [], groups = new Map();
  for (const one of fields) {
    if (one.group === undefined) {
      list.push(field(one));
      continue;
    }
    if (!groups.has(one.group)) {
      const set = document.createElement("fieldset");
      set.append(Object.assign(document.createElement("legend"), {textContent: one.group}));
      groups.set(one.group, set);
      list.push(set);
    }
    groups.get(one.group).append(field(one));
  }
  return list;
}

/* Asks until `work` takes what is given, or one thinks better of it. `changed` may follow one field by another. */
export function askFor(title, fields, work, changed = () => {}, done = "Draw") {
  const dialog = $("form"), form = dialog.querySelector("form");
  $("form-title").textContent = title;
  $("form-done").textContent = done;
  $("form-fields").replaceChildren(...grouped(fields));
  $("form-message").hidden = true;
  $("form-cancel").onclick = () => dialog.close();
  form.oninput = () => changed(form.elements);
  form.onsubmit = async (event) => {
    event.preventDefault();
    $("form-done").disabled = true;
    try {
      await work(Object.fromEntries(fields.map(({name}) => [name, form.elements[name].value.trim()])));
      dialog.close();
    } catch (error) {
      $("form-message").textContent = error.message;
      $("form-message").hidden = false;
    }
    $("form-done").disabled = false;
  };
  changed(form.elements);
  dialog.showModal();
}

/* The new name of something, which is asked for until `work` takes it. */
export function askName(old, work) {
  const fields = [{name: "name", label: "New name", value: old, required: true}];
  askFor("Rename " + old, fields, ({name}) => (name === old ? undefined : work(name)), undefined, "Rename");
  $("field-name").select();
}
