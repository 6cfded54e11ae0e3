/** What can be wrong with a request to a service of key-value pairs and XML documents, such as a WFS. */
import { excerpt } from '../../../text/excerpt.ts';
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const owsProblems = {
  'ows-parameter-missing': defineProblemKind(
    400,
    'A parameter that the operation of a service needs is not there, or empty.',
    (d: { parameter: string; expected: string }) => `The parameter '${d.parameter}' is missing; ${d.expected}.`,
  ),
  'ows-parameter-invalid': defineProblemKind(
    400,
    'A parameter of an operation of a service has a value it cannot have.',
    (d: { parameter: string; value: string; expected: string }) =>
      `The parameter '${d.parameter}' cannot be '${excerpt(d.value)}'; ${d.expected}.`,
  ),
  'ows-parameter-ambiguous': defineProblemKind(
    400,
    'A parameter of an operation of a service is given twice, with different values.',
    (d: { parameter: string }) => `The parameter '${excerpt(d.parameter)}' is given twice, with different values.`,
  ),
  'ows-parameters-exclusive': defineProblemKind(
    400,
    'Parameters of an operation of a service cannot be given together.',
    (d: { parameters: readonly string[] }) =>
      `The parameters ${d.parameters.join(' and ')} cannot be given together; say all of it in one of them.`,
  ),
  'ows-operation-unknown': defineProblemKind(
    400,
    'The service has no such operation in that version.',
    (d: { operation: string; service: string; operations: readonly string[] }) =>
      `${d.service} has no operation '${excerpt(d.operation)}'; there are ${d.operations.join(', ')}.`,
  ),
  'ows-option-unsupported': defineProblemKind(
    400,
    'An operation of a service is asked for something that the standard allows and this server does not do.',
    (d: { what: string; instead: string }) => `${d.what} is not supported; ${d.instead}.`,
  ),
  'ows-version-unknown': defineProblemKind(
    400,
    'None of the versions that a client accepts is spoken here.',
    (d: { asked: readonly string[]; spoken: readonly string[] }) =>
      `None of the versions ${enumerate(d.asked.map(excerpt), d.asked.length)} is spoken here; these are: ${d.spoken.join(', ')}.`,
  ),
  'ows-request-unreadable': defineProblemKind(
    400,
    'The XML document that was sent is no request of the service, or one with a part that is not as it should be.',
    (d: { reason: string }) => `The request cannot be read: ${d.reason}.`,
  ),
  'ows-service-unknown': defineProblemKind(
    400,
    'No service of that name is offered.',
    (d: { service: string; services: readonly string[] }) =>
      `There is no service '${excerpt(d.service)}' here; there is ${d.services.join(', ')}.`,
  ),
  'ows-update-sequence': defineProblemKind(
    400,
    'A client has the current capabilities already, or names a state that never was.',
    (d: { asked: string; current: number; isCurrent: boolean }) =>
      d.isCurrent
        ? `The capabilities have not changed since ${d.current}.`
        : `There is no state '${excerpt(d.asked)}' of the capabilities; the current one is ${d.current}.`,
  ),
} as const;
