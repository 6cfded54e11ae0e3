/** The configuration as it is: every resource with its fields, in the order of paths, and the hash of all of it. */
import { createHash } from 'node:crypto';
import type { Services } from '../services.ts';
import { canonicalText } from './fields.ts';
import { sortedInTurns, turn } from './in-turns.ts';
import type { ConfigurationKind, ListedResource } from './kind.ts';
import { lookUpsIn } from './look-ups.ts';
import { isInScope, type Scope } from './scope.ts';

export interface ToldResource {
  readonly kind: string;
  readonly path: string;
  /** Its fields as canonical text. */
  readonly fields: string;
}

export interface ToldConfiguration {
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
  const told: ToldResource[] = [];
  const state = { services, ...lookUpsIn(services.catalog) };
  const wanted = scope.kinds.length === 0 ? kinds : kinds.filter(({ kind }) => scope.kinds.includes(kind));
  for (const kind of wanted) {
    for await (const piece of kind.every(state)) {
      for (const listed of piece) {
        if (isInScope(scope, kind.kind, listed.path)) {
          told.push({ kind: kind.kind, path: listed.path, fields: await textOf(listed) });
          await turn();
        }
      }
    }
  }
  const resources = await sortedInTurns(told, (a, b) => a.path < b.path);
  return { resources, hash: await hashOf(resources) };
}

/** Nothing is waited for that is there. */
function textOf(listed: ListedResource): string | Promise<string> {
  const fields = listed.fields();
  return fields instanceof Promise ? fields.then(canonicalText) : canonicalText(fields);
}

async function hashOf(resources: readonly ToldResource[]): Promise<string> {
  const hash = createHash('sha256');
  let separator = '[';
  for (const { kind, path, fields } of resources) {
    hash.update(`${separator}{"fields":${fields},"kind":${JSON.stringify(kind)},"path":${JSON.stringify(path)}}`);
    separator = ',';
    await turn();
  }
  hash.update(resources.length === 0 ? '[]' : ']');
  return `sha256:${hash.digest('hex')}`;
}

export function printResource({ kind, path, fields }: ToldResource): string {
  return `{"kind":${JSON.stringify(kind)},"path":${JSON.stringify(path)},"fields":${fields}}`;
}
