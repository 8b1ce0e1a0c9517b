/* Calls of a runtime for the trace: those that a component which does not communicate itself makes of one that does, or
 * of a block of a coercion. Called by requests and by the ends of frames, in both engines: compiled code leaves such
 * calls to them where there is a trace. */
#include "interp/execute/steps.h"
#include "interp/execute/trace.h"

#include <math.h>
#include <string.h>

void trace_stretch(struct executor *executor, const struct process *process, enum activity activity, uint32_t component,
                   double begin, double end) {
  struct trace *trace = executor->options->trace;
  if (process->counted) trace_event(trace, process->id, process->instance, activity, component, begin, end);
  if (executor->causes) causes_stretch(executor, process, activity, begin, end);
}

bool call_is_traced(struct executor *executor, bool communicates, const struct model_accept *accept, bool block) {
  return executor->options->trace && !communicates &&
         (block || body_of_accept(executor, (struct model_accept *)accept)->communicates);
}

static bool is_data(struct executor *executor, const struct type *type, struct value value) {
  return value.kind == VALUE_REAL && type_is_number(type) &&
         dimension_equal(type->dimension, executor->model->types.data->dimension);
}

static struct value given_value(struct executor *executor, const struct model_parameter *parameter,
                                struct value given) {
  struct environment environment = executor_environment(executor, NULL);
  struct value value = given;
  if (given.kind == VALUE_NONE && parameter->value)
    evaluate_as(&environment, parameter->value, parameter->type, &value);
  return value;
}

static void put_argument(struct executor *executor, struct text *out, const struct model_parameter *parameter,
                         struct value value) {
  const struct model *model = executor->model;
  bool plain = value.kind == VALUE_INT || value.kind == VALUE_TERM || value.kind == VALUE_REAL ||
               (value.kind == VALUE_BOOL && value.boolean);
  if (!plain) return;
  if (out->size) text_char(out, ',');
  text_json(out, parameter->name->text);
  text_char(out, ':');
  const char *text = value_brief(&executor->scratch, &model->types, model->names, parameter->type, value);
  if (value.kind == VALUE_INT || value.kind == VALUE_BOOL)
    text_put(out, text);
  else
    text_json(out, text);
}

void call_trace_begin(struct executor *executor, struct process *process, bool communicates,
                      const struct value *arguments) {
  struct frame *frame = process->frame;
  const struct model_accept *accept = frame->body->accept;
  if (!executor->options->trace || !process->counted || communicates || !(frame->communicates || !accept)) return;
  const struct model_transaction *transaction = accept ? accept->transaction : frame->body->coercion->from_transaction;
  struct text text = {.arena = &executor->scratch};
  struct trace_call call = {.process = process->instance,
                            .name = transaction->symbol->name->text,
                            .bytes = (double)NAN,
                            .begin = process->clock};
  for (uint32_t k = 0; k < transaction->param_count; k++) {
    struct value value = given_value(executor, &transaction->params[k], arguments[k]);
    if (is_data(executor, transaction->params[k].type, value))
      call.bytes = value.real;
    else
      put_argument(executor, &text, &transaction->params[k], value);
  }
  call.given = text.data ? arena_copy(executor->options->trace->arena, text.data, text.size) : "";
  frame->traced = trace_call_begin(executor->options->trace, process->id, call);
}

void call_trace_result(struct executor *executor, struct process *process, struct value result) {
  struct frame *frame = process->frame;
  const struct model_accept *accept = frame->body->accept;
  const struct type *type = (accept ? accept->transaction : frame->body->coercion->from_transaction)->result;
  trace_call_end(executor->options->trace, process->id, process->clock,
                 is_data(executor, type, result) ? result.real : (double)NAN);
  frame->traced = false;
}

void call_trace_end(struct executor *executor, struct process *process) {
  trace_call_end(executor->options->trace, process->id, process->clock, (double)NAN);
}
