/* The databases of studies that lie in the folder: their studies are listed, opened as pages, and set beside others. */
import {element} from "./figures.js";
import {ask} from "./wire.js";

const $ = (id) => document.getElementById(id);

/* The model of a study, which its database names from where it lies itself, or by its whole path; undefined: it is not
 * in the folder. */
function modelOf(database, model, folder, models) {
  const parts = [];
  for (const part of (model.startsWith("/") ? model : `${folder}/${database}/../${model}`).split("/"))
    if (part === "..") parts.pop();
    else if (part && part !== ".") parts.push(part);
  return models.find((path) => `${folder}/${path}` === "/" + parts.join("/"));
}

export class Databases {
  /* `calls`: open(study): shows its page; listed(studies), each {path, name, label, model, modelPath}; folder(). */
  constructor(calls) { this.calls = calls; }
  /* Asks what there is. */
  async list() {
    const {files, databases} = await ask("files");
    const lists = await Promise.all(databases.map((path) => this.studiesOf(path, files)));
    this.studies = lists.flat();
    $("databases").hidden = !databases.length;
    $("databases").querySelector("ul").replaceChildren(...this.studies.map((study) => this.row(study)));
    this.calls.listed(this.studies.filter(({name}) => name));
  }
  /* One that cannot be read is listed, too: psl says why when it is opened. */
  async studiesOf(path, models) {
    const {studies = [{}]} = await ask("studies", {path});
    return studies.map(({study: name, model}) => ({
      path,
      name,
      label: studies.length > 1 ? `${path}, ${name}` : path,
      model,
      modelPath: model && modelOf(path, model, this.calls.folder(), models)
    }));
  }
  row(study) {
    const button = element("button", {textContent: study.label, title: "Its page; there it can be set beside others"});
    button.addEventListener("click", () => this.calls.open(study));
    return element("li", {}, button);
  }
}
