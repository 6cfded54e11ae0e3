/** Problems with requests of OGC web services (key-value pairs or XML). */
import { excerpt } from '../../../text/excerpt.ts';
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const owsProblems = {
  'ows-parameter-missing': defineProblemKind(
    400,
    'A required parameter of an operation is missing or empty.',
    (d: { parameter: string; expected: string }) => `The parameter '${d.parameter}' is missing; ${d.expected}.`,
  ),
  'ows-parameter-invalid': defineProblemKind(
    400,
    'A parameter of an operation has an invalid value.',
    (d: { parameter: string; value: string; expected: string }) =>
      `Invalid value '${excerpt(d.value)}' for the parameter '${d.parameter}': ${d.expected}.`,
  ),
  'ows-parameter-ambiguous': defineProblemKind(
    400,
    'A parameter of an operation is given twice, with different values.',
    (d: { parameter: string }) => `The parameter '${excerpt(d.parameter)}' is given twice, with different values.`,
  ),
  'ows-parameters-exclusive': defineProblemKind(
    400,
    'Parameters of an operation exclude each other.',
    (d: { parameters: readonly string[] }) =>
      `The parameters ${d.parameters.join(' and ')} exclude each other. Use only one of them.`,
  ),
  'ows-operation-unknown': defineProblemKind(
    400,
    'The service does not support the operation in that version.',
    (d: { operation: string; service: string; operations: readonly string[] }) =>
      `${d.service} has no operation '${excerpt(d.operation)}'. Supported operations: ${d.operations.join(', ')}.`,
  ),
  'ows-option-unsupported': defineProblemKind(
    400,
    'The request uses an option of the standard that this server does not support.',
    (d: { what: string; instead: string }) => `${d.what} is not supported; ${d.instead}.`,
  ),
  'ows-version-unknown': defineProblemKind(
    400,
    'The service does not support any version that the client accepts.',
    (d: { asked: readonly string[]; spoken: readonly string[] }) =>
      `Unsupported version: ${enumerate(d.asked.map(excerpt), d.asked.length)}. Supported versions: ${d.spoken.join(', ')}.`,
  ),
  'ows-request-unreadable': defineProblemKind(
    400,
    'The XML document is not a valid request of the service.',
    (d: { reason: string }) => `The request is invalid: ${d.reason}.`,
  ),
  'ows-service-unknown': defineProblemKind(
    400,
    'The service is unknown.',
    (d: { service: string; services: readonly string[] }) =>
      `Unknown service '${excerpt(d.service)}'. Supported: ${d.services.join(', ')}.`,
  ),
  'ows-update-sequence': defineProblemKind(
    400,
    'The client already has the current capabilities, or names an unknown update sequence.',
    (d: { asked: string; current: number; isCurrent: boolean }) =>
      d.isCurrent
        ? `The capabilities have not changed since the update sequence ${d.current}.`
        : `Unknown update sequence '${excerpt(d.asked)}'. The current one is ${d.current}.`,
  ),
} as const;
