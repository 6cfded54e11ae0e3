/** Routes for the authentication filters and chains, which are fixed and read-only. */
import type { RouteTable } from '../../http/routes/route.ts';
import { problem } from '../../lib/problems/problem.ts';
import { selectPage } from '../../lib/text/page.ts';
import { formatPrintableName } from '../../records/names.ts';
import { listAuthFilters, listFilterChains } from '../../security/filter-chains.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, del, family, get, list, type Services } from '../common/services.ts';
import { authFilterListing, chainDocument, chainList, createAuthFilterWriter } from './representation.ts';

const filters = '/security/authfilters';
const filter = `${filters}/:filter` as const;
const chains = '/security/filterchain';
const chain = `${chains}/:chain` as const;

const summary = 'Rejected: authentication filters and chains are fixed';
const problems = ['login-steps-fixed'] as const;

export function loginStepRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Authentication filters and chains',
    {
      description:
        'How requests are authenticated: by Basic credentials, API tokens and the enabled external providers. Read-only.',
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
        async ({ services, params }) => {
          const resource = (await listAuthFilters(services.catalog)).find(({ name }) => name === params.filter);
          if (resource === undefined) {
            throw problem('auth-filter-unknown', { name: formatPrintableName(params.filter) });
          }
          return { resource };
        },
      ),
      list(chains, 'List the filter chains', { returns: chainList }, async ({ services }, page) => ({
        entries: selectPage(await listFilterChains(services.catalog), chainList.getName, page),
      })),
      get(
        chain,
        'Read a filter chain',
        { returns: chainDocument, problems: ['filter-chain-unknown'] },
        async ({ services, params }) => {
          const resource = (await listFilterChains(services.catalog)).find(({ name }) => name === params.chain);
          if (resource === undefined) {
            throw problem('filter-chain-unknown', { name: formatPrintableName(params.chain) });
          }
          return { resource };
        },
      ),

      act(filters, summary, { problems }, refuse),
      act(filter, summary, { problems, method: 'PUT' }, refuse),
      del(filter, summary, { problems }, refuse),
      act(chains, summary, { problems }, refuse),
      act(chain, summary, { problems, method: 'PUT' }, refuse),
      del(chain, summary, { problems }, refuse),
    ],
  );
}

async function refuse(): Promise<never> {
  throw problem('login-steps-fixed', {});
}
