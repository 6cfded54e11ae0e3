import { describe, expect, it } from 'vitest';
import { freshCatalog } from '../../../test/support/keystores.ts';
import { anonymous, type Principal } from '../../lib/identity/principal.ts';
import { noPrecondition } from '../../lib/problems/precondition.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { openAccess } from './access.ts';
import { addRules, changeCatalogMode, changeRules, removeRule } from './access-rules.ts';
import type { RuleFamilyName } from './rule-families.ts';

const admin: Principal = { name: 'admin', roles: new Set(['ROLE_ADMINISTRATOR']) };
const ann: Principal = { name: 'ann', roles: new Set(['ROLE_ANN']) };
const initial = { layers: [], services: [], rest: [] };

/** Returns a catalog, the access over it, and a log of the reads. */
async function scene() {
  const { catalog } = await freshCatalog();
  const reads: string[] = [];
  const counted: CatalogReader = {
    ...catalog,
    find(kind, parent, name) {
      reads.push(`find ${name}`);
      return catalog.find(kind, parent, name);
    },
    list(kind, parent, limit) {
      reads.push(`list ${kind.kind}`);
      return catalog.list(kind, parent, limit);
    },
  };
  const writing = (family: RuleFamilyName) => ({
    catalog,
    initial,
    principal: admin,
    family,
    precondition: noPrecondition,
  });
  return { catalog, access: openAccess(counted, initial), reads, writing };
}

describe('access', () => {
  it('reads no records for administrators', async () => {
    const { access, reads } = await scene();

    const permissions = await access.getPermissions(admin);

    expect(permissions.decide({ workspace: 'a', layer: 'b' }, 'admin')).toBe('allow');
    expect(await access.decideCall(admin, { path: ['rest'], method: 'GET' })).toBe(true);
    expect(reads).toEqual([]);
  });

  it('reads only the rule set version for other users, and the rules again only after a change', async () => {
    const { access, reads, writing } = await scene();
    await addRules(writing('layers'), [{ key: 'acme.*.r', roles: 'ROLE_ANN' }]);
    await access.getPermissions(ann);
    reads.length = 0;

    await access.getPermissions(ann);
    expect(reads.toSorted()).toEqual(['find access', 'find dataRules', 'find layers']);

    await changeRules(writing('layers'), [{ key: 'acme.*.r', roles: 'ROLE_BOB' }]);
    const permissions = await access.getPermissions(ann);
    expect(reads).toContain('list accessRule');
    expect(permissions.decide({ workspace: 'acme', layer: 'x' }, 'read')).toBe('hide');
  });

  it('applies the current rules on each request', async () => {
    const { access, catalog, writing } = await scene();
    const place = { workspace: 'acme', layer: 'roads' };
    const decision = async () => (await access.getPermissions(anonymous)).decide(place, 'read');

    expect(await decision()).toBe('allow');
    await addRules(writing('layers'), [{ key: 'acme.roads.r', roles: 'ROLE_ANN' }]);
    expect(await decision()).toBe('hide');
    await changeCatalogMode(catalog, admin, 'MIXED', noPrecondition);
    expect(await decision()).toBe('challenge');
    expect((await access.getPermissions(anonymous)).isListed(place)).toBe(false);
    await changeCatalogMode(catalog, admin, 'CHALLENGE', noPrecondition);
    expect((await access.getPermissions(anonymous)).isListed(place)).toBe(true);
    await removeRule(writing('layers'), 'acme.roads.r');
    expect(await decision()).toBe('allow');
  });

  it('applies the most specific service rule', async () => {
    const { access, writing } = await scene();
    const may = (method: string, service = 'wfs') => access.mayCallService(ann, service, method);
    expect(await may('GetFeature')).toBe(true);

    await addRules(writing('services'), [
      { key: '*.*', roles: 'ROLE_BOB' },
      { key: 'wfs.*', roles: 'ROLE_ANN' },
      { key: 'wfs.Transaction', roles: 'ROLE_BOB' },
    ]);

    expect(await may('GetFeature')).toBe(true);
    expect(await may('Transaction')).toBe(false);
    expect(await may('GetMap', 'wms')).toBe(false);
    expect(await access.mayCallService(admin, 'wms', 'GetMap')).toBe(true);
  });
});
