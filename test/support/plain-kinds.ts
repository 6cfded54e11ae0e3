/** Kinds of records without secrets, keys or a past, for tests that are about something else. */
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
