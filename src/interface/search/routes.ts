/** The route that finds resources of all kinds by name or title. */
import { createIntegerParameter, createTextParameter, type QueryParameter } from '../../http/request/query.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Dialect } from '../common/dialects.ts';
import { family, get, type Services } from '../common/services.ts';
import { createLayerNames } from './layer-names.ts';
import { createMatches } from './matches.ts';
import { searchDocument } from './representation.ts';
import { type SearchContext, sources } from './sources.ts';

const LIMIT = 20;

/** People refine a search instead of reading more. */
const MAX_LIMIT = 100;

/** Longer than any name. */
const MAX_TEXT_CHARACTERS = 500;

const kindNames = [...sources.keys()];

const q: QueryParameter<string | null> = {
  ...createTextParameter(
    'Words that the name, the title or the qualified name contains, in any case; or the number of a change.',
  ),
  isRequired: true,
  expected: `1 to ${MAX_TEXT_CHARACTERS} characters`,
  parse: (value) => (value.trim() === '' || value.length > MAX_TEXT_CHARACTERS ? undefined : value.trim()),
};

const kinds: QueryParameter<readonly string[]> = {
  description: 'Return only these kinds, separated by commas.',
  schema: { type: 'string', examples: ['layer,style'] },
  expected: `a list of ${kindNames.join(', ')}`,
  parse: (value) => {
    const wanted = value.split(',').map((each) => each.trim());
    return wanted.every((each) => sources.has(each)) ? wanted : undefined;
  },
  absent: kindNames,
};

export function searchRoutes({ initialRules }: Dialect): RouteTable<Services> {
  const layerNames = createLayerNames();
  return family(
    'Search',
    {
      description: 'Finds resources of all kinds that the caller can list.',
      formats: ['json'],
      formatGroup: 'additions',
    },
    [
      get(
        '/search',
        'Find workspaces, layers, groups, stores, styles, users, roles, rules and other resources by name or title',
        {
          returns: searchDocument,
          role: WORKSPACE_ADMINISTRATOR,
          rejectsUnknownQuery: true,
          query: {
            q,
            kinds,
            limit: createIntegerParameter(`Maximum number of results; default: ${LIMIT}.`, 1, MAX_LIMIT),
          },
        },
        async (call) => {
          const { query } = call;
          const text = query.q;
          if (text === null) {
            throw problem('query-invalid', { parameter: 'q', value: '', expected: q.expected, field: 'q' });
          }
          const matches = createMatches(text, query.limit ?? LIMIT);
          const context = await createContext(call, { initialRules, layerNames, text });
          for (const kind of kindNames) {
            if (query.kinds.includes(kind)) await sources.get(kind)?.(context, matches.offer);
          }
          return { resource: { total: matches.count(), results: matches.listBest() } };
        },
      ),
    ],
  );
}

async function createContext(
  { services, principal }: Pick<Call<Services>, 'services' | 'principal'>,
  rest: Pick<SearchContext, 'initialRules' | 'layerNames' | 'text'>,
): Promise<SearchContext> {
  const { access } = services;
  const mayList: SearchContext['mayList'] = async (segments, role) => {
    const call = { principal, role, method: 'GET', isWrite: false, params: {}, getPath: () => ['rest', ...segments] };
    return (await access.findRefusal(call)) === undefined;
  };
  return { ...rest, services, principal, mayList, permissions: await access.getPermissions(principal) };
}
