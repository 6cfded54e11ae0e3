import { expect, test } from 'vitest';
import type { RequestContext } from '../context/app-options.ts';
import { nameOperation } from './name-operation.ts';

type Match = NonNullable<RequestContext<unknown>['match']>;

function matchRoute(pattern: string, route: { readonly kind: string; readonly family: string }): Match {
  return {
    resource: { pattern, methods: new Map([['GET', route]]), allowed: ['GET'] },
    params: {},
  } as unknown as Match;
}

const wms = matchRoute('/geoserver/:workspace/wms', { kind: 'service', family: 'WMS' });

test('names a known operation in the spelling of its standard', () => {
  const operation = { operation: 'getmap', knownOperation: 'GetMap', layers: 'topp:states' };

  expect(nameOperation({ match: wms, operation }, 'GET')).toEqual({ service: 'WMS', operation: 'GetMap' });
});

test('never repeats an operation that the client invents', () => {
  const operation = { operation: 'x'.repeat(200), layers: '' };

  expect(nameOperation({ match: wms, operation }, 'GET')).toEqual({ service: 'WMS', operation: 'other' });
});

test('names the service that the client selects at a shared address', () => {
  const match = matchRoute('/geoserver/ows', { kind: 'service', family: 'OGC services' });
  const operation = { operation: 'GetFeature', knownOperation: 'GetFeature', layers: '', service: 'WFS' };

  expect(nameOperation({ match, operation }, 'GET')).toEqual({ service: 'WFS', operation: 'GetFeature' });
});

test('names operations without a name after the last fixed part of their path', () => {
  const match = matchRoute('/geoserver/ogc/features/v1/collections/:collection/items', {
    kind: 'service',
    family: 'OGC API Features',
  });

  expect(nameOperation({ match }, 'HEAD')).toEqual({ service: 'OGC API Features', operation: 'items' });
});

test('names the family of REST resources, and nothing for an unknown path', () => {
  const match = matchRoute('/geoserver/rest/workspaces/:workspace', { kind: 'resource', family: 'Workspaces' });

  expect(nameOperation({ match }, 'DELETE')).toEqual({ service: 'REST', operation: 'Workspaces' });
  expect(nameOperation({}, 'GET')).toEqual({ service: undefined, operation: undefined });
});
