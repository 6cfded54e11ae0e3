/** Texts that are pasted into the search of the console, and the pages of resources. */
import { describe, expect, it } from 'vitest';
import { consoleRoot, serverRoot } from '../../console/rest/client.ts';
import { findAddress } from '../../console/shell/resource-address.ts';
import { readAddress } from '../../console/shell/search/read-reference.ts';

/** As from outside a proxy: only the path counts. */
const console = `https://maps.example${consoleRoot.pathname}`;
const server = `https://maps.example${serverRoot.pathname}`;

describe('a pasted address', () => {
  it.each([
    [`${console}layers?q=a`, 'layers?q=a'],
    [`${server}rest/workspaces/city/layers/roads.json`, 'w/city/layers/roads'],
    [`${server}wms?LAYERS=city:roads,city:trees`, 'w/city/layers/roads'],
    [`${server}ogc/features/v1/collections/city:roads/items`, 'w/city/layers/roads'],
    [`${server}ogc/features/v1/collections/city:100%/items`, 'w/city/layers/100%25'],
    ['https://other.example/path', undefined],
    ['not an address', undefined],
  ])('%s is the page %s', (text, expected) => {
    expect(readAddress(text)).toBe(expected);
  });

  it.each([
    [`${console}//other.example/x`, 'other.example/x'],
    [`${console}javascript:alert(1)`, undefined],
    [`${console}https://other.example/`, undefined],
  ])('%s stays in the console', (text, expected) => {
    expect(readAddress(text)).toBe(expected);
  });
});

describe('the page of a rule', () => {
  it.each([
    ['/security/acl/data/old-trees', 'security/access?tab=data'],
    ['/security/acl/services/wfs.Transaction', 'security/access?tab=services'],
    ['/security/acl/rest/x', 'security/access?tab=rest'],
    ['/security/acl/layers/city.*.r', 'security/access'],
  ])('%s is %s', (path, expected) => {
    expect(findAddress(path)).toBe(expected);
  });
});
