/* What mirror.js takes of CodeMirror: `interp/studio/bundle` makes one file of it. */
export {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionKeymap,
  completionStatus,
  startCompletion
} from "@codemirror/autocomplete";
export {
  defaultKeymap,
  history,
  historyKeymap,
  indentMore,
  invertedEffects,
  isolateHistory,
  redo,
  toggleComment,
  undo
} from "@codemirror/commands";
export {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  foldService,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting
} from "@codemirror/language";
export {openSearchPanel, search, searchKeymap} from "@codemirror/search";
export {EditorSelection, EditorState, Prec, RangeSet, StateEffect, StateField, Text} from "@codemirror/state";
export {
  Decoration,
  EditorView,
  gutter,
  GutterMarker,
  keymap,
  lineNumbers,
  showTooltip,
  WidgetType
} from "@codemirror/view";
export {classHighlighter} from "@lezer/highlight";
