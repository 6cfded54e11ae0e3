/** Plans and applies an archive on the target. */
import { type Request, ResponseError, type ServerClient } from '../../client/command.ts';
import type { Archive, Rejection, Rejections } from '../archive/archive.ts';
import type { PlanSummary } from '../report/format-report.ts';
import { MoveInError } from '../report/move-in-error.ts';

export interface Plan {
  readonly hash: string;
  readonly change: number | null;
  readonly summary: PlanSummary;
  /** Resources that are stored as the source describes them, because their data is unavailable. */
  readonly unverified?: readonly { readonly path: string; readonly message: string }[];
}

/** The part of a plan before its steps, which can be hundreds of thousands. */
const STEPS = ',"steps":[';

const EXIT_CONFIGURATION_CHANGED = 3;

export class ArchiveTarget {
  readonly #server: ServerClient;
  readonly #message: string;

  constructor(server: ServerClient, message: string) {
    this.#server = server;
    this.#message = message;
  }

  /** The plan of an archive that the target accepts, or what it rejects. */
  async plan(archive: Archive): Promise<{ readonly plan: Plan } | { readonly rejections: Rejections }> {
    try {
      const plan = await this.#send(archive, { path: '/configuration/diff' });
      const tried = await this.#send(archive, {
        path: '/configuration/apply',
        query: [['dryRun', 'true']],
        hash: plan.hash,
      });
      return { plan: { ...plan, unverified: tried.unverified ?? [] } };
    } catch (error) {
      const rejections = readRejections(error);
      if (rejections.size === 0) throw toMoveInError(error);
      return { rejections };
    }
  }

  async apply(archive: Archive, { hash }: Plan): Promise<Plan> {
    try {
      return await this.#send(archive, { path: '/configuration/apply', hash });
    } catch (error) {
      throw toMoveInError(error);
    }
  }

  async #send(
    archive: Archive,
    { path, query = [], hash }: Pick<Request, 'path' | 'query'> & { readonly hash?: string },
  ): Promise<Plan> {
    const reply = await this.#server.send({
      method: 'POST',
      path,
      query: [['mode', 'merge'], ['unverified', 'accept'], ...query],
      ...(hash === undefined ? {} : { headers: { 'if-match': `"${hash}"` } }),
      body: { type: 'application/json', pieces: () => archive.encode(this.#message) },
    });
    return readPlanHead(reply.pieces);
  }
}

async function readPlanHead(pieces: AsyncIterable<Uint8Array>): Promise<Plan> {
  const decoder = new TextDecoder();
  let head = '';
  for await (const piece of pieces) {
    if (!head.includes(STEPS)) head += decoder.decode(piece, { stream: true });
  }
  const end = head.indexOf(STEPS);
  return JSON.parse(end < 0 ? head : `${head.slice(0, end)}}`) as Plan;
}

/** The errors of a document by path: fields first, then whole resources. */
function readRejections(error: unknown): Rejections {
  const { errors } = error instanceof ResponseError && error.code === 'configuration-invalid' ? error.members : {};
  const found = new Map<string, Rejection>();
  for (const each of Array.isArray(errors) ? errors : []) {
    const { path, field, message } = each as Readonly<Record<string, unknown>>;
    if (typeof path !== 'string' || typeof message !== 'string') continue;
    const known = found.get(path);
    const [, name] = typeof field === 'string' ? field.split('/') : [];
    if (name === undefined || essentialFields.has(name)) {
      found.set(path, { fields: known?.fields ?? new Map(), message: known?.message ?? message });
    } else {
      found.set(path, { ...known, fields: new Map([...(known?.fields ?? []), [name, message]]) });
    }
  }
  return found;
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
    merged.set(path, { fields, ...(message === undefined ? {} : { message }) });
  }
  return merged;
}
