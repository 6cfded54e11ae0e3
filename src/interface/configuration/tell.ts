/** The configuration as it is: every resource with its fields, in the order of paths, and the hash of all of it. */
import { createHash } from 'node:crypto';
import { turn } from '../../lib/pace.ts';
import type { Services } from '../services.ts';
import { canonicalText, type Fields } from './fields.ts';
import { sortedInTurns } from './in-turns.ts';
import { KeptText, TextKeeper } from './kept-text.ts';
import type { ConfigurationKind, ConfigurationState, ListedResource } from './kind.ts';
import { isInScope, type Scope } from './scope.ts';
import { wholeState } from './state.ts';

/** A resource as an export tells it. */
export class ToldResource {
  readonly kind: string;
  readonly path: string;
  /** `{"kind":...,"path":...,"fields":...}` */
  readonly printed: KeptText;

  constructor(kind: string, path: string, printed: KeptText) {
    this.kind = kind;
    this.path = path;
    this.printed = printed;
  }

  /** Its fields as canonical text. */
  get fields(): string {
    return this.printed.toString().slice(beginningOf(this.kind, this.path).length, -1);
  }
}

function beginningOf(kind: string, path: string): string {
  return `{"kind":${JSON.stringify(kind)},"path":${JSON.stringify(path)}${FIELDS}`;
}

/** The same resource with other fields. */
export function toldWith({ kind, path }: ToldResource, fields: Fields): ToldResource {
  const printed = new TextKeeper().keep(`${beginningOf(kind, path)}${canonicalText(fields)}}`);
  return new ToldResource(kind, path, printed);
}

/** In texts of JSON quotes are escaped: nothing before the fields looks like this. */
const FIELDS = ',"fields":';
const fieldsBytes = Buffer.from(FIELDS);

/** The resource that is printed there. */
export function toldIn(bytes: Buffer, start: number, end: number): ToldResource {
  const beginning = bytes.toString('utf8', start, bytes.indexOf(fieldsBytes, start));
  const { kind, path } = JSON.parse(`${beginning}}`) as Pick<ToldResource, 'kind' | 'path'>;
  return new ToldResource(kind, path, new KeptText(bytes, start, end));
}

export interface ToldConfiguration {
  /** In the order of paths. */
  readonly resources: readonly ToldResource[];
  /** `sha256:` and hexadecimal digits. */
  readonly hash: string;
}

/** `services` show one state. */
export async function tellConfiguration(
  kinds: readonly ConfigurationKind[],
  services: Services,
  scope: Scope,
): Promise<ToldConfiguration> {
  const told = await tellResources(kinds, wholeState(services), scope);
  const resources = await sortedInTurns(told, (a, b) => a.path < b.path);
  return { resources, hash: await hashOf(resources) };
}

/** Resources whose files are read together: they may be large, and the disk is no faster with more. */
const READ_AT_ONCE = 16;

/** Those at paths that somebody wants to hear of, in any order. */
export async function tellResources(
  kinds: readonly ConfigurationKind[],
  state: ConfigurationState,
  scope: Scope,
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly ToldResource[]> {
  const told: ToldResource[] = [];
  const keeper = new TextKeeper();
  const wanted = scope.kinds.length === 0 ? kinds : kinds.filter(({ kind }) => scope.kinds.includes(kind));
  for (const row of wanted) {
    const { kind } = row;
    const underWay: Promise<void>[] = [];
    for await (const piece of row.every(state)) {
      for (const listed of piece) {
        const { path } = listed;
        if (isInScope(scope, kind, path) && isWanted(path)) {
          const tell = (fields: string) =>
            void told.push(new ToldResource(kind, path, keeper.keep(`${beginningOf(kind, path)}${fields}}`)));
          // Nothing is waited for that is there: with each resource that would take as long as telling it.
          const made = textOf(listed);
          if (typeof made === 'string') {
            tell(made);
          } else if (underWay.push(made.then(tell)) === READ_AT_ONCE) {
            await Promise.all(underWay.splice(0));
          }
          const others = turn();
          if (others !== undefined) {
            await others;
          }
        }
      }
    }
    await Promise.all(underWay);
  }
  return told;
}

function textOf(listed: ListedResource): string | Promise<string> {
  const fields = listed.fields();
  return fields instanceof Promise ? fields.then(canonicalText) : canonicalText(fields);
}

/** So many characters are hashed at a time, in a fraction of a millisecond. */
const HASHED_AT_ONCE = 65_536;

async function hashOf(resources: readonly ToldResource[]): Promise<string> {
  const hash = createHash('sha256');
  let text = '[';
  let separator = '';
  for (const { kind, path, fields } of resources) {
    text += `${separator}{"fields":${fields},"kind":${JSON.stringify(kind)},"path":${JSON.stringify(path)}}`;
    separator = ',';
    if (text.length >= HASHED_AT_ONCE) {
      hash.update(text);
      text = '';
      await turn();
    }
  }
  hash.update(`${text}]`);
  return `sha256:${hash.digest('hex')}`;
}
