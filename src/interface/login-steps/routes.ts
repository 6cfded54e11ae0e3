/** Routes for the authentication filters and chains, of which only filters of trusted proxies can be changed. */
import type { RouteTable } from '../../http/routes/route.ts';
import { problem } from '../../lib/problems/problem.ts';
import { selectPage } from '../../lib/text/page.ts';
import { formatPrintableName } from '../../records/names.ts';
import { type AuthFilter, type FilterChain, listAuthFilters, listFilterChains } from '../../security/filter-chains.ts';
import { changeFilter, checkSameChain, createHeaderProvider, deleteFilter } from '../../security/filter-changes.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, del, family, get, list, post, put, type Services } from '../common/services.ts';
import { chainReader, filterReader } from './read-steps.ts';
import { authFilterListing, chainDocument, chainList, createAuthFilterWriter } from './representation.ts';

const filters = '/security/authfilters';
const filter = `${filters}/:filter` as const;
const chains = '/security/filterchain';
const chain = `${chains}/:chain` as const;

const summary = 'Rejected: filter chains are fixed';
const problems = ['login-steps-fixed'] as const;
const providerProblems = [
  'name-illegal',
  'auth-provider-exists',
  'auth-provider-limit',
  'auth-provider-unknown',
] as const;

export function loginStepRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Authentication filters and chains',
    {
      description:
        'How requests are authenticated: by Basic credentials, API tokens and the enabled external providers. Filters of trusted proxies can be changed.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'accounts',
      errorStyle: 'structured',
    },
    [
      list(filters, 'List the authentication filters', { returns: authFilterListing }, async ({ services }, page) => ({
        entries: selectPage(await listAuthFilters(services.catalog), authFilterListing.getName, page),
      })),
      get(
        filter,
        'Read an authentication filter',
        { returns: createAuthFilterWriter(dialect), problems: ['auth-filter-unknown'] },
        async ({ services, params }) => ({ resource: await findFilter(services, params.filter) }),
      ),
      list(chains, 'List the filter chains', { returns: chainList }, async ({ services }, page) => ({
        entries: selectPage(await listFilterChains(services.catalog), chainList.getName, page),
      })),
      get(
        chain,
        'Read a filter chain',
        { returns: chainDocument, problems: ['filter-chain-unknown'] },
        async ({ services, params }) => ({ resource: await findChain(services, params.chain) }),
      ),

      post(
        filters,
        'Create the provider of a request header filter',
        { accepts: filterReader, problems: [...problems, ...providerProblems] },
        async ({ services, principal, body }) => {
          const { name } = await createHeaderProvider(services.security, principal, body);
          return { location: ['security', 'authfilters', name], text: name };
        },
      ),
      put(
        filter,
        'Change the provider of a request header filter; other filters accept their own document only',
        { accepts: filterReader, problems: [...problems, 'auth-filter-unknown', ...providerProblems] },
        async ({ services, principal, params, body }) =>
          changeFilter(services.security, principal, await findFilter(services, params.filter), body),
      ),
      del(
        filter,
        'Delete the provider of a request header filter',
        { problems: [...problems, 'auth-filter-unknown', 'auth-provider-unknown', 'auth-provider-gone'] },
        async ({ services, principal, params }) =>
          deleteFilter(services.security, principal, await findFilter(services, params.filter)),
      ),
      act(chains, summary, { problems }, refuse),
      put(
        chain,
        'Accepts the document of the chain, which is fixed',
        { accepts: chainReader, problems: [...problems, 'filter-chain-unknown'] },
        async ({ services, params, body }) => {
          // The order of chains is a document of its own in the reference server.
          if (params.chain === 'order') return refuse();
          checkSameChain(await findChain(services, params.chain), body);
        },
      ),
      del(chain, summary, { problems }, refuse),
    ],
  );
}

async function findFilter({ catalog }: Services, name: string): Promise<AuthFilter> {
  const found = (await listAuthFilters(catalog)).find((each) => each.name === name);
  if (found === undefined) throw problem('auth-filter-unknown', { name: formatPrintableName(name) });
  return found;
}

async function findChain({ catalog }: Services, name: string): Promise<FilterChain> {
  const found = (await listFilterChains(catalog)).find((each) => each.name === name);
  if (found === undefined) throw problem('filter-chain-unknown', { name: formatPrintableName(name) });
  return found;
}

async function refuse(): Promise<never> {
  const reason = 'the order of credentials is fixed, and there are no sessions';
  throw problem('login-steps-fixed', { reason, path: '/security/authproviders' });
}
