/** Record kinds without secrets, keys or earlier versions, for tests of other topics. */
import type { JsonObject, KindRules } from '../../src/storage/port/port.ts';

export function plainKinds(...kinds: readonly string[]): readonly KindRules[] {
  return kinds.map((kind) => ({
    kind,
    bodyVersion: 1,
    keyNames: [],
    upgrade: (body) => body,
    index: () => ({ keys: {} }),
    mask: (body: JsonObject) => body,
  }));
}
