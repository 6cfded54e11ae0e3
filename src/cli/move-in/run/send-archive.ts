/** Plans and applies an archive on the target. */
import { type Request, ResponseError, type ServerClient } from '../../client/command.ts';
import { type Archive, FORMAT, type Rejection, type Rejections } from '../archive/archive.ts';
import { readList } from '../previous/read-list.ts';
import type { PlanSummary } from '../report/format-report.ts';
import { MoveInError } from '../report/move-in-error.ts';

export interface Plan {
  readonly hash: string;
  readonly change: number | null;
  readonly summary: PlanSummary;
  /** The watched resources that the plan creates or changes. */
  readonly watched: readonly string[];
  /** Resources that are stored as the source describes them, because their data is unavailable. */
  readonly unverified?: readonly { readonly path: string; readonly message: string }[];
}

/** The part of a plan before its steps, which can be hundreds of thousands. */
const STEPS = ',"steps":[';

const EXIT_CONFIGURATION_CHANGED = 3;

/** What the target answers to an archive. */
export type Outcome = { readonly plan: Plan } | { readonly rejections: Rejections };

export class ArchiveTarget {
  readonly #server: ServerClient;
  readonly #message: string;
  /** The hash of the configuration that the move starts from; a change of it by others ends the move. */
  readonly #hash: string;

  private constructor(server: ServerClient, message: string, hash: string) {
    this.#server = server;
    this.#message = message;
    this.#hash = hash;
  }

  static async open(server: ServerClient, message: string): Promise<ArchiveTarget> {
    const { hash } = await sendDocument(server, {
      path: '/configuration/diff',
      pieces: () => [Buffer.from(JSON.stringify({ format: FORMAT, resources: [] }))],
    });
    return new ArchiveTarget(server, message, hash);
  }

  /** Compares an archive with the configuration, without validating it against the data. */
  compare(archive: Archive, isWatched: (path: string) => boolean): Promise<Outcome> {
    return this.#attempt({ path: '/configuration/diff', pieces: () => archive.encode(this.#message), isWatched });
  }

  /** Applies an archive as a dry run, without the files of the `pending` stores. */
  rehearse(archive: Archive, pending: ReadonlySet<string>): Promise<Outcome> {
    return this.#attempt({
      path: '/configuration/apply',
      query: [['dryRun', 'true']],
      headers: this.#createPrecondition(),
      pieces: () => archive.encode(this.#message, pending),
    });
  }

  apply(archive: Archive): Promise<Outcome> {
    return this.#attempt({
      path: '/configuration/apply',
      headers: this.#createPrecondition(),
      pieces: () => archive.encode(this.#message),
    });
  }

  #createPrecondition(): Readonly<Record<string, string>> {
    return { 'if-match': `"${this.#hash}"` };
  }

  async #attempt(request: DocumentRequest): Promise<Outcome> {
    try {
      return { plan: await sendDocument(this.#server, request) };
    } catch (error) {
      const rejections = readRejections(error);
      if (rejections.size === 0) throw toMoveInError(error);
      return { rejections };
    }
  }
}

interface DocumentRequest extends Pick<Request, 'path' | 'query' | 'headers'> {
  readonly pieces: () => Iterable<Uint8Array>;
  readonly isWatched?: (path: string) => boolean;
}

async function sendDocument(
  server: ServerClient,
  { path, query = [], headers = {}, pieces, isWatched }: DocumentRequest,
): Promise<Plan> {
  const reply = await server.send({
    method: 'POST',
    path,
    query: [['mode', 'merge'], ['unverified', 'accept'], ...query],
    headers,
    body: { type: 'application/json', pieces },
  });
  return readPlan(reply.pieces, isWatched);
}

async function readPlan(pieces: AsyncIterable<Uint8Array>, isWatched?: (path: string) => boolean): Promise<Plan> {
  const head: Buffer[] = [];
  let isComplete = false;
  /** The start of the steps can be divided between pieces. */
  let tail: Buffer = Buffer.alloc(0);
  async function* readHead(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      if (!isComplete) {
        head.push(Buffer.from(piece));
        const end = Buffer.concat([tail, piece]);
        isComplete = end.includes(STEPS);
        tail = end.subarray(-STEPS.length);
      }
      yield piece;
    }
  }
  const watched: string[] = [];
  if (isWatched === undefined) for await (const _ of readHead());
  else {
    const steps = readList<{ readonly action: string; readonly path: string }>(readHead(), 'steps');
    for await (const { action, path } of steps) if (action !== 'delete' && isWatched(path)) watched.push(path);
  }
  const text = Buffer.concat(head);
  const end = text.indexOf(STEPS);
  return { ...(JSON.parse(end < 0 ? text.toString() : `${text.toString('utf8', 0, end)}}`) as Plan), watched };
}

interface ListedError {
  readonly path: string;
  readonly message: string;
  readonly code: string;
  /** The name of the field that can be left out; undefined if the whole resource is rejected. */
  readonly field: string | undefined;
}

/** The errors of a document by path: fields first, then whole resources. */
function readRejections(error: unknown): Rejections {
  const { errors } = error instanceof ResponseError && error.code === 'configuration-invalid' ? error.members : {};
  const listed = (Array.isArray(errors) ? errors : []).flatMap(readError);
  // A resource whose field is rejected does not exist for others, but it will without the field.
  const isPartial = listed.some(({ field }) => field !== undefined);
  const found = new Map<string, Rejection>();
  for (const { path, message, code, field } of listed) {
    const known = found.get(path);
    if (field !== undefined) {
      const crsFields = [...(known?.crsFields ?? []), ...(code === 'srs-unknown' ? [field] : [])];
      found.set(path, {
        ...known,
        fields: new Map([...(known?.fields ?? []), [field, message]]),
        crsFields: new Set(crsFields),
      });
    } else if (!isPartial || !/unknown$/.test(code)) {
      found.set(path, { ...known, fields: known?.fields ?? new Map(), message: known?.message ?? message });
    }
  }
  return found;
}

function readError(each: unknown): readonly ListedError[] {
  const { path, field, message, code } = each as Readonly<Record<string, unknown>>;
  if (typeof path !== 'string' || typeof message !== 'string') return [];
  const [, name] = typeof field === 'string' ? field.split('/') : [];
  const optional = name === undefined || essentialFields.has(name) ? undefined : name;
  return [{ path, message, code: typeof code === 'string' ? code : '', field: optional }];
}

/** A resource without these fields would mean something else. */
const essentialFields: ReadonlySet<string> = new Set([
  'name',
  'regex',
  'connectionParameters',
  'url',
  'type',
  'capabilitiesURL',
  'nativeName',
  'content',
  'contentBase64',
  'publishables',
  'queries',
  'className',
  'password',
  'rules',
  'order',
  'cqlFilter',
]);

function toMoveInError(error: unknown): unknown {
  if (!(error instanceof ResponseError)) return error;
  if (error.status === 412) {
    return new MoveInError('configuration-moved', error.message, { exitCode: EXIT_CONFIGURATION_CHANGED });
  }
  return new MoveInError(error.code ?? 'server-failed', error.message);
}

/** What the target rejects in several attempts; a resource whose fields are rejected twice is left out. */
export function mergeRejections(former: Rejections, next: Rejections): Rejections {
  const merged = new Map(former);
  for (const [path, rejection] of next) {
    const known = former.get(path);
    const fields = new Map([...(known?.fields ?? []), ...rejection.fields]);
    const isNew = [...rejection.fields.keys()].some((name) => known?.fields.has(name) !== true);
    const [again] = isNew ? [] : rejection.fields.values();
    const message = rejection.message ?? known?.message ?? again;
    const crsFields = new Set([...(known?.crsFields ?? []), ...(rejection.crsFields ?? [])]);
    merged.set(path, { fields, crsFields, ...(message === undefined ? {} : { message }) });
  }
  return merged;
}
