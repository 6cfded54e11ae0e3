/** Errors of the REST interface (RFC 9457) as exceptions. */
import { decodeEntities } from './decode-entities.ts';

export interface FieldProblem {
  /** The path of the field, such as `dataStore.connectionParameters.host`. */
  readonly field: string;
  readonly message: string;
}

export interface ProblemDocument {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string;
  readonly field?: string;
  readonly errors?: readonly { readonly field?: string; readonly message?: string; readonly detail?: string }[];
  readonly blockers?: readonly string[];
}

/** The codes of failures that the server did not answer. */
export const NO_NETWORK = 'no-network';

export class RestProblem extends Error {
  override readonly name = 'RestProblem';
  readonly document: ProblemDocument;
  /** When the request may be repeated, if the server says so. */
  readonly retryAfterSeconds: number | undefined;
  /** The REST path that was read, for reads of the REST interface. */
  readonly readPath: string | undefined;

  constructor(document: ProblemDocument, retryAfterSeconds?: number, readPath?: string) {
    super(document.detail);
    this.document = document;
    this.retryAfterSeconds = retryAfterSeconds;
    this.readPath = readPath;
  }

  get status(): number {
    return this.document.status;
  }

  get code(): string {
    return this.document.code;
  }
}

export async function readProblem(reply: Response, readPath?: string): Promise<RestProblem> {
  const text = await reply.text().catch(() => '');
  const retryAfter = Number(reply.headers.get('retry-after') ?? Number.NaN);
  const requestId = reply.headers.get('x-request-id');
  return new RestProblem(
    {
      ...parseDocument(text, reply),
      ...(requestId === null ? {} : { requestId }),
    },
    Number.isFinite(retryAfter) ? retryAfter : undefined,
    readPath,
  );
}

/** Services answer in the format of their standard, and proxies with pages. */
function parseDocument(text: string, { status, statusText }: Response): ProblemDocument {
  const title = statusText || `Status ${status}`;
  try {
    const parsed = JSON.parse(text) as Partial<ProblemDocument> & { readonly message?: string };
    const { message = title } = parsed;
    return { title, detail: message, code: 'unknown', ...readFieldOfMessage(message), ...parsed, status };
  } catch {
    const { detail, field } = readServiceException(text);
    const isPlain = text.length < 500 && !text.includes('<');
    return {
      status,
      code: 'unknown',
      title,
      detail: detail || (isPlain && text) || title,
      ...(field === undefined ? {} : { field }),
    };
  }
}

/** The message of an OGC service, empty if the text has none, and the parameter that it names. */
export function readServiceException(text: string): { readonly detail: string; readonly field: string | undefined } {
  const message = /<(?:\w+:)?(?:ServiceException|ExceptionText)(?:\s[^>]*)?>([^<]*)/.exec(text)?.[1] ?? '';
  const locator = /<(?:\w+:)?(?:Service)?Exception\s[^>]*\blocator="([^"]*)"/.exec(text)?.[1];
  return {
    detail: decodeEntities(message).trim(),
    field: locator === undefined ? undefined : decodeEntities(locator),
  };
}

/** Some paths keep the errors of older servers: a message that begins with the path of the field. */
function readFieldOfMessage(message: string): Pick<ProblemDocument, 'field'> {
  const [, field] = /^(\w+(?:\.\w+)+): /.exec(message) ?? [];
  return field === undefined ? {} : { field };
}

export function createNetworkProblem(): RestProblem {
  return new RestProblem({
    status: 0,
    code: NO_NETWORK,
    title: 'No connection',
    detail: 'The server does not answer.',
  });
}

export function createPreviewProblem(): RestProblem {
  return new RestProblem({
    status: 0,
    code: 'preview-unconfirmed',
    title: 'No preview',
    detail: 'The response is not a preview: a proxy has removed the header Graticule-View-As from the request.',
  });
}

/** The errors of single fields, for the inputs of a form. */
export function listFieldProblems({ document }: RestProblem): readonly FieldProblem[] {
  const listed = (document.errors ?? []).flatMap(({ field, message, detail }) =>
    field === undefined ? [] : [{ field, message: message ?? detail ?? document.detail }],
  );
  return listed.length > 0 || document.field === undefined
    ? listed
    : [{ field: document.field, message: document.detail }];
}

/** Reason phrases of statuses (RFC 9110), which servers use as titles of problems without words of their own. */
const reasonPhrases = [
  ...['Error', 'Bad Request', 'Unauthorized', 'Forbidden', 'Not Found', 'Method Not Allowed', 'Not Acceptable'],
  ...['Request Timeout', 'Conflict', 'Gone', 'Length Required', 'Precondition Failed', 'Payload Too Large'],
  ...['Content Too Large', 'URI Too Long', 'Unsupported Media Type', 'Unprocessable Entity', 'Unprocessable Content'],
  ...['Locked', 'Precondition Required', 'Too Many Requests', 'Request Header Fields Too Large'],
  ...['Internal Server Error', 'Not Implemented', 'Bad Gateway', 'Service Unavailable', 'Gateway Timeout'],
  'Insufficient Storage',
];

/** Returns the title of a problem; undefined if it only repeats the status. */
export function findOwnTitle({ document: { title, status } }: RestProblem): string | undefined {
  return title === '' || title === `Status ${status}` || reasonPhrases.includes(title) ? undefined : title;
}

/** The sentence above the errors of fields; undefined if it only repeats them. */
export function findSummary(problem: RestProblem): string | undefined {
  const { detail } = problem.document;
  const fields = listFieldProblems(problem);
  return fields.length > 1 && fields.every(({ message }) => detail.includes(message)) ? undefined : detail;
}

export function toProblem(error: unknown): RestProblem {
  if (error instanceof RestProblem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new RestProblem({ status: 0, code: 'unexpected', title: 'The console failed', detail });
}
