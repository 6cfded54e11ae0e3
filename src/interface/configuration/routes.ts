/** The whole configuration as one document: told, compared with one that is sent, and made like it. */
import type { PrintedList } from '../../http/formats/list-frame.ts';
import { textsParameter } from '../../http/query.ts';
import type { RouteTable } from '../../http/route.ts';
import { problem } from '../../lib/problem.ts';
import type { Dialect } from '../dialects.ts';
import { family, getPrinted, type Services } from '../services.ts';
import type { ConfigurationKind } from './kind.ts';
import { configurationShape, FORMAT } from './representation.ts';
import { type Scope, scopeOf } from './scope.ts';
import { printResource, type ToldConfiguration, type ToldResource, tellConfiguration } from './tell.ts';

const path = textsParameter('Only what is at this path and below it; may be given several times.');

export function configurationRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Configuration',
    {
      description: 'The whole configuration as one document: export, diff, apply.',
      formats: ['json'],
      formatGroup: 'about',
    },
    [
      getPrinted(
        '/configuration',
        'Read the whole configuration',
        {
          answers: configurationShape,
          versioned: true,
          refusesUnknownQuery: true,
          query: { path, kind: textsParameter('Only resources of this kind; may be given several times.') },
        },
        async ({ services, query }) => {
          const kinds = await kindsFor(dialect);
          const scope = scopeOf(query.path, checkedKinds(kinds, query.kind));
          const told = await tellConfiguration(kinds, services, scope);
          return { list: printed(told, services.catalog.position(), scope), tag: `"${told.hash}"` };
        },
      ),
    ],
  );
}

/** The table of kinds leads to all families: it is not needed for a start. */
async function kindsFor(dialect: Dialect): Promise<readonly ConfigurationKind[]> {
  const { configurationKinds } = await import('./kinds.ts');
  return configurationKinds(dialect);
}

function checkedKinds(kinds: readonly ConfigurationKind[], asked: readonly string[]): readonly string[] {
  const unknown = asked.find((each) => !kinds.some(({ kind }) => kind === each));
  if (unknown !== undefined) {
    const expected = `one of ${kinds.map(({ kind }) => kind).join(', ')}`;
    throw problem('query-invalid', { parameter: 'kind', value: unknown, expected, field: 'kind' });
  }
  return asked;
}

function printed({ resources, hash }: ToldConfiguration, position: number, scope: Scope): PrintedList {
  const narrowed = scope.paths.length === 0 ? {} : { scope: scope.paths };
  const head = JSON.stringify({ format: FORMAT, position, hash, ...narrowed }).slice(0, -1);
  const before = `${head},"resources":[`;
  return { frame: { before, between: ',', after: ']}', empty: `${before}]}` }, pieces: printedPieces(resources) };
}

async function* printedPieces(resources: readonly ToldResource[]): AsyncGenerator<string> {
  for (const resource of resources) {
    yield printResource(resource);
  }
}
