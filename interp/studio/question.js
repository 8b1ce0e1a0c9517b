/* A question that stands in the way until it is answered by one of a few buttons. */

import {oneByOne} from "./wire.js";

const $ = (id) => document.getElementById(id);

/* `answers` are {name: what its button says}, the first of which does no harm: it has the focus. The name of the button
 * that is pressed; "" where one thinks better of it, by Escape. */
export const question = oneByOne((title, text, answers) => new Promise((done) => {
  const dialog = $("question"), names = Object.keys(answers);
  $("question-title").textContent = title;
  $("question-text").textContent = text;
  $("question-answers")
      .replaceChildren(...names.map((value) => Object.assign(
                                        document.createElement("button"),
                                        {value, textContent: answers[value], autofocus: value === names[0]})));
  dialog.returnValue = "";
  dialog.onclose = () => done(dialog.returnValue);
  dialog.showModal();
}));
