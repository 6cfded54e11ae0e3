import { describe, expect, it } from 'vitest';
import { anonymous, type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { createRouteBuilders } from '../route-table/route-table.ts';
import { buildRouter } from '../routes/router.ts';
import type { AuthorizationRequest, Authorize } from '../session/session.ts';
import { ANYONE, authorize, isPublic } from './auth.ts';

const { getContent, del, family } = createRouteBuilders<null>();

/** Routes for each role; the first letter of the path names the role. */
const router = buildRouter(
  family('Test', { description: '', formats: [], formatGroup: 'catalog' }, [
    getContent('/open', 'Read', { mediaType: 'text/plain', role: ANYONE }, async () => ''),
    getContent('/mixed', 'Read', { mediaType: 'text/plain', role: ANYONE }, async () => ''),
    del('/mixed', 'Delete', {}, async () => {}),
    getContent('/closed', 'Read', { mediaType: 'text/plain' }, async () => ''),
    getContent('/edited', 'Read', { mediaType: 'text/plain', role: 'ROLE_EDITOR' }, async () => ''),
  ]).routes,
);

function matchOf(path: string) {
  const match = router.match(path);
  if (match === undefined) {
    throw new Error(`${path} is not served`);
  }
  return match;
}

/** Permits callers that have the role of the route. */
const byRole: Authorize = async ({ principal, role }) =>
  principal.roles.has(role) ? undefined : problem('role-missing', { role });

const administrator = { name: 'admin', roles: new Set([ROLE_ADMINISTRATOR]) };
const editor = { name: 'ed', roles: new Set(['ROLE_EDITOR']) };

describe('request without credentials', () => {
  it.each([
    ['/open', 'GET', true],
    ['/open', 'HEAD', true],
    ['/open', 'OPTIONS', true],
    ['/open', 'DELETE', true],
    ['/mixed', 'GET', true],
    ['/mixed', 'HEAD', true],
    ['/mixed', 'DELETE', false],
    ['/mixed', 'OPTIONS', false],
    ['/mixed', 'PATCH', false],
    ['/closed', 'GET', false],
    ['/closed', 'HEAD', false],
    ['/closed', 'OPTIONS', false],
    ['/closed', 'BREW', false],
  ])('%s returns %s: %s', (path, method, expected) => {
    expect(isPublic(matchOf(path).resource, method)).toBe(expected);
  });
});

describe('user with credentials', () => {
  it.each([
    ['/open', 'GET', true, true],
    ['/mixed', 'GET', true, true],
    ['/mixed', 'DELETE', true, false],
    ['/mixed', 'OPTIONS', true, true],
    ['/closed', 'GET', true, false],
    ['/closed', 'HEAD', true, false],
    ['/closed', 'POST', true, false],
    ['/edited', 'GET', false, true],
    ['/edited', 'HEAD', false, true],
    ['/edited', 'OPTIONS', false, true],
  ])(
    'at %s with %s: administrator allowed (%s), editor allowed (%s)',
    async (path, method, administratorMay, editorMay) => {
      const may = async (principal: Principal): Promise<boolean> => {
        try {
          await authorize(byRole, { principal, match: matchOf(path), method, restRoot: '/rest' });
          return true;
        } catch (error) {
          expect(error).toMatchObject({ code: 'role-missing', status: 403 });
          return false;
        }
      };

      expect([await may(administrator), await may(editor)]).toEqual([administratorMay, editorMay]);
    },
  );

  it('anonymous callers get 401 instead of 403', async () => {
    await expect(
      authorize(byRole, { principal: anonymous, match: matchOf('/closed'), method: 'GET', restRoot: '/rest' }),
    ).rejects.toMatchObject({
      code: 'credentials-required',
    });
  });
});

describe('authorizer', () => {
  it.each([
    ['/geoserver/rest/things/a.b', ['rest', 'things', 'a.b'], { thing: 'a.b' }],
    ['//geoserver//rest/things/a%2Fb/', ['rest', 'things', 'a/b'], { thing: 'a/b' }],
    ['/geoserver/rest', ['rest'], {}],
    ['/outside', ['outside'], {}],
  ])('receives one spelling of %s', async (path, asked, params) => {
    const own = buildRouter(
      family(
        'Test',
        { description: '', formats: ['xml'], formatGroup: 'catalog' },
        ['/geoserver/rest', '/geoserver/rest/things/:thing', '/outside'].map((each) =>
          getContent(each, 'Read', { mediaType: 'text/plain' }, async () => ''),
        ),
      ).routes,
    );
    const match = own.match(path);
    const questions: AuthorizationRequest[] = [];
    const note: Authorize = async (question) => {
      questions.push(question);
      return undefined;
    };

    if (match !== undefined) {
      await authorize(note, { principal: editor, match, method: 'GET', restRoot: '/geoserver/rest' });
    }

    expect(questions.map(({ getPath, ...question }) => ({ ...question, path: getPath() }))).toEqual([
      { principal: editor, role: ROLE_ADMINISTRATOR, method: 'GET', isWrite: false, path: asked, params },
    ]);
  });
});
