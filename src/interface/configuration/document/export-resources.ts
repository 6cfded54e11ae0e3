/** The current configuration: every resource with its fields in path order, and the hash of all of it. */
import { createHash } from 'node:crypto';
import { sortCooperatively } from '../../../lib/async/sort-cooperatively.ts';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import type { Services } from '../../common/services.ts';
import { type Fields, formatCanonicalJson } from '../model/fields.ts';
import type { ConfigurationKind, ConfigurationState, ListedResource } from '../model/kind.ts';
import { isInScope, type Scope } from './scope.ts';
import { createFullState } from './state.ts';
import { TextBuffer, TextSlice } from './text-buffer.ts';

/** An exported resource. */
export class ExportedResource {
  readonly kind: string;
  readonly path: string;
  /** `{"kind":...,"path":...,"fields":...}` */
  readonly printed: TextSlice;

  constructor(kind: string, path: string, printed: TextSlice) {
    this.kind = kind;
    this.path = path;
    this.printed = printed;
  }

  /** The fields as canonical text. */
  get fields(): string {
    return this.printed.toString().slice(formatResourceHead(this.kind, this.path).length, -1);
  }
}

function formatResourceHead(kind: string, path: string): string {
  return `{"kind":${JSON.stringify(kind)},"path":${JSON.stringify(path)}${FIELDS}`;
}

/** The same resource with other fields. */
export function replaceExportedFields({ kind, path }: ExportedResource, fields: Fields): ExportedResource {
  const printed = new TextBuffer().append(`${formatResourceHead(kind, path)}${formatCanonicalJson(fields)}}`);
  return new ExportedResource(kind, path, printed);
}

/** Quotes are escaped inside JSON strings, so this text cannot occur before the fields. */
const FIELDS = ',"fields":';
const fieldsBytes = Buffer.from(FIELDS);

/** The resource that the text contains. */
export function parseExportedResource(bytes: Buffer, start: number, end: number): ExportedResource {
  const beginning = bytes.toString('utf8', start, bytes.indexOf(fieldsBytes, start));
  const { kind, path } = JSON.parse(`${beginning}}`) as Pick<ExportedResource, 'kind' | 'path'>;
  return new ExportedResource(kind, path, new TextSlice(bytes, start, end));
}

export interface ExportedConfiguration {
  /** In path order. */
  readonly resources: readonly ExportedResource[];
  /** `sha256:` and hexadecimal digits. */
  readonly hash: string;
}

/** `services` show one state. */
export async function exportConfiguration(
  kinds: readonly ConfigurationKind[],
  services: Services,
  scope: Scope,
): Promise<ExportedConfiguration> {
  const exported = await exportResources(kinds, createFullState(services), scope);
  const resources = await sortCooperatively(exported, (a, b) => a.path < b.path);
  return { resources, hash: await hashResources(resources) };
}

/**
 * Number of resources whose files are read together: files may be large, and more parallelism does not speed up the
 * disk.
 */
const READ_BATCH_SIZE = 16;

export interface ExportOptions {
  /** All paths by default. */
  readonly isWanted?: (path: string) => boolean;
  /** Keeps the resources. */
  readonly texts?: TextBuffer;
}

/** The resources at selected paths, in any order. */
export async function exportResources(
  kinds: readonly ConfigurationKind[],
  state: ConfigurationState,
  scope: Scope,
  { isWanted = () => true, texts = new TextBuffer() }: ExportOptions = {},
): Promise<readonly ExportedResource[]> {
  const exported: ExportedResource[] = [];
  const wanted = scope.kinds.length === 0 ? kinds : kinds.filter(({ kind }) => scope.kinds.includes(kind));
  for (const row of wanted) {
    const { kind } = row;
    const underWay: Promise<void>[] = [];
    for await (const piece of row.every(state)) {
      for (const listed of piece) {
        const { path } = listed;
        if (isInScope(scope, kind, path) && isWanted(path)) {
          const addExported = (fields: string) =>
            void exported.push(
              new ExportedResource(kind, path, texts.append(`${formatResourceHead(kind, path)}${fields}}`)),
            );
          // Avoids awaiting available values: per resource, that would cost as much as formatting it.
          const made = formatFields(listed);
          if (typeof made === 'string') {
            addExported(made);
          } else if (underWay.push(made.then(addExported)) === READ_BATCH_SIZE) {
            await Promise.all(underWay.splice(0));
          }
          const others = yieldIfDue();
          if (others !== undefined) {
            await others;
          }
        }
      }
    }
    await Promise.all(underWay);
  }
  return exported;
}

function formatFields(listed: ListedResource): string | Promise<string> {
  const fields = listed.fields();
  return fields instanceof Promise ? fields.then(formatCanonicalJson) : formatCanonicalJson(fields);
}

/** Number of characters hashed at a time, in a fraction of a millisecond. */
const HASH_BATCH_CHARACTERS = 65_536;

async function hashResources(resources: readonly ExportedResource[]): Promise<string> {
  const hash = createHash('sha256');
  let text = '[';
  let separator = '';
  for (const { kind, path, fields } of resources) {
    text += `${separator}{"fields":${fields},"kind":${JSON.stringify(kind)},"path":${JSON.stringify(path)}}`;
    separator = ',';
    if (text.length >= HASH_BATCH_CHARACTERS) {
      hash.update(text);
      text = '';
      await yieldIfDue();
    }
  }
  hash.update(`${text}]`);
  return `sha256:${hash.digest('hex')}`;
}
