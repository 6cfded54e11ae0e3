/** Routes for URL checks. */

import type { PathParameters, RouteTable } from '../../http/routes/route.ts';
import {
  changeUrlCheck,
  createUrlCheck,
  deleteUrlCheck,
  findUrlCheck,
  listUrlChecks,
  urlCheckExists,
} from '../../security/url-checks/url-checks.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, get, list, post, postQuery, put, type Services } from '../common/services.ts';
import { createUrlCheckListing, urlCheckDocument, verdictDocument } from './representation.ts';

export function urlCheckRoutes(dialect: Dialect): RouteTable<Services> {
  /**
   * The routes of one check. Those of a check named `test` are separate because its path is also that of the test.
   */
  function createUrlCheckRows<P extends string>(path: P, which: string, nameIn: (params: PathParameters<P>) => string) {
    return [
      get(
        path,
        `Read ${which}`,
        { returns: urlCheckDocument, versioned: true, problems: ['url-check-unknown'] },
        async ({ services, params }) => {
          const check = await findUrlCheck(services.catalog, nameIn(params));
          return { resource: check, version: check.version };
        },
      ),

      put(
        path,
        `Change or rename ${which}`,
        {
          accepts: urlCheckDocument,
          problems: ['url-check-unknown', 'name-illegal', 'url-check-exists', 'regex-invalid'],
        },
        ({ services, principal, params, body, precondition }) =>
          changeUrlCheck(services.catalog, principal, nameIn(params), {
            draft: body,
            precondition,
            absentEnabled: dialect.urlCheckAbsentEnabled,
          }),
      ),

      del(
        path,
        `Delete ${which}`,
        { problems: ['url-check-unknown'] },
        ({ services, principal, params, precondition }) =>
          deleteUrlCheck(services.catalog, principal, nameIn(params), { precondition }),
      ),
    ];
  }

  return family(
    'URL checks',
    {
      description: 'URLs that the server may open for its users. A URL that no enabled check matches is rejected.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { urlCheck: ({ catalog }, { urlCheck = '' }) => urlCheckExists(catalog, urlCheck) },
    },
    [
      list(
        '/urlchecks',
        'List the URL checks',
        { returns: createUrlCheckListing(dialect) },
        async ({ services }, page) => ({
          entries: await listUrlChecks(services.catalog, { orderedBy: dialect.urlCheckOrder }, page),
        }),
      ),

      post(
        '/urlchecks',
        'Create a URL check',
        { accepts: urlCheckDocument, problems: ['name-illegal', 'url-check-exists', 'regex-invalid'] },
        async ({ services, principal, body }) => {
          const { name } = await createUrlCheck(services.catalog, principal, body);
          return { location: ['urlchecks', name], text: name };
        },
      ),

      ...createUrlCheckRows('/urlchecks/:urlCheck', 'a URL check', ({ urlCheck }) => urlCheck),

      postQuery(
        '/urlchecks/test',
        'Test whether a URL is allowed, and by which check',
        { accepts: { kind: 'text', what: 'URL' }, returns: verdictDocument },
        async ({ services, body }) => ({ resource: await services.urlGate.check(body) }),
      ),

      ...createUrlCheckRows('/urlchecks/test', "the URL check named 'test'", () => 'test'),
    ],
  );
}
