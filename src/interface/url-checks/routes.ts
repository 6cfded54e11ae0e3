/** The URL checks family. */

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
import { ask, del, family, get, list, post, put, type Services } from '../common/services.ts';
import { createUrlCheckListing, urlCheckDocument, verdictDocument } from './representation.ts';

export function urlCheckRoutes(dialect: Dialect): RouteTable<Services> {
  /** The rows of one check. Those of the check called `test` are written out, as its path has the test as well. */
  function createUrlCheckRows<P extends string>(path: P, which: string, nameIn: (params: PathParameters<P>) => string) {
    return [
      get(
        path,
        `Read ${which}`,
        { answers: urlCheckDocument, versioned: true, problems: ['url-check-unknown'] },
        async ({ services, params }) => {
          const check = await findUrlCheck(services.catalog, nameIn(params));
          return { resource: check, version: check.version };
        },
      ),

      put(
        path,
        `Change or rename ${which}`,
        {
          takes: urlCheckDocument,
          problems: ['url-check-unknown', 'name-illegal', 'url-check-exists', 'regex-invalid'],
        },
        ({ services, principal, params, body, precondition }) =>
          changeUrlCheck(services.catalog, principal, nameIn(params), body, {
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
      description: 'Which URLs the server may open for its users. A URL that no enabled check matches stays closed.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { urlCheck: ({ catalog }, { urlCheck = '' }) => urlCheckExists(catalog, urlCheck) },
    },
    [
      list(
        '/urlchecks',
        'List the URL checks',
        { answers: createUrlCheckListing(dialect) },
        async ({ services }, page) => ({
          entries: await listUrlChecks(services.catalog, { orderedBy: dialect.urlCheckOrder }, page),
        }),
      ),

      post(
        '/urlchecks',
        'Create a URL check',
        { takes: urlCheckDocument, problems: ['name-illegal', 'url-check-exists', 'regex-invalid'] },
        async ({ services, principal, body }) => {
          const { name } = await createUrlCheck(services.catalog, principal, body);
          return { location: ['urlchecks', name], text: name };
        },
      ),

      ...createUrlCheckRows('/urlchecks/:urlCheck', 'a URL check', ({ urlCheck }) => urlCheck),

      ask(
        '/urlchecks/test',
        'Tell whether a URL would be opened, and which check lets it pass',
        { what: 'URL', answers: verdictDocument },
        async ({ services, body }) => ({ resource: await services.urlGate.check(body) }),
      ),

      ...createUrlCheckRows('/urlchecks/test', "the URL check called 'test'", () => 'test'),
    ],
  );
}
