/** The rules at work: who may see, change and call what. Parsed rules are kept until the version of their set changes. */
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { readCatalogMode } from './access-rules.ts';
import { type Decision, decideAccess, isListed } from './decide-access.ts';
import { type AccessMode, createLayerRules, type LayerRules, parseLayerKey } from './layer-rules.ts';
import { decideCall, parseRestKey, type RestRule } from './rest-rules.ts';
import type { InitialRules, RuleEntry, RuleFamilyName } from './rule-families.ts';
import { getRuleSetVersion, readRuleSet } from './rule-set.ts';
import { canCallService, parseServiceKey, type ServiceRule } from './service-rules.ts';

export interface AccessTarget {
  /** Null for what lives in no workspace. */
  readonly workspace: string | null;
  /** Null for the workspace itself. */
  readonly layer: string | null;
}

/** What one principal may do, by the rules as they are now; for one request, however many places it touches. */
export interface Permissions {
  decide(place: AccessTarget, mode: AccessMode): Decision;
  /** Whether listings show it. */
  isListed(place: AccessTarget): boolean;
  /** Whether a rule makes them the administrator of this workspace, or of some workspace. */
  administers(workspace: string): boolean;
  administersAny(): boolean;
  /** Whether the rule for everything makes them the administrator of what belongs to no workspace. */
  administersAll(): boolean;
}

export interface Access {
  /** The same rules as another reader sees them, such as a snapshot. */
  forReader(reader: CatalogReader): Access;
  getPermissions(principal: Principal): Promise<Permissions>;
  /** Whether the REST rules let a principal call; undefined when none of them speaks of it. */
  decideCall(
    principal: Principal,
    call: { readonly path: readonly string[]; readonly method: string },
  ): Promise<boolean | undefined>;
  mayCallService(principal: Principal, service: string, method: string): Promise<boolean>;
}

/** Administrators see everything, whatever the rules say: nothing need be read for them. */
const allPermissions: Permissions = {
  decide: () => 'allow',
  isListed: () => true,
  administers: () => true,
  administersAny: () => true,
  administersAll: () => true,
};

export function openAccess(catalog: CatalogReader, initial: InitialRules): Access {
  function createRuleCache<T>(family: RuleFamilyName, parse: (rules: readonly RuleEntry[]) => T) {
    let known: { readonly version: number; readonly parsed: T } | undefined;
    return async (reader: CatalogReader): Promise<T> => {
      for (;;) {
        // Whoever reads another state may put that in the place of what is known while this one waits.
        const last = known;
        if (last !== undefined && last.version === (await getRuleSetVersion(reader, family))) {
          return last.parsed;
        }
        const { rules, version } = await readRuleSet(reader, family, initial);
        // A reader that follows the changes may have found the rules of a later version than that of their set.
        if (version === (await getRuleSetVersion(reader, family))) {
          const parsed = parse(rules);
          known = { version, parsed };
          return parsed;
        }
      }
    };
  }

  const layers = createRuleCache(
    'layers',
    (rules): LayerRules => createLayerRules(rules.map(({ key, roles }) => ({ ...parseLayerKey(key), roles }))),
  );
  const rest = createRuleCache('rest', (rules): readonly RestRule[] =>
    rules.map(({ key, roles }) => ({ ...parseRestKey(key), roles })),
  );
  const services = createRuleCache('services', (rules): readonly ServiceRule[] =>
    rules.map(({ key, roles }) => ({ ...parseServiceKey(key), roles })),
  );

  const readBy = (reader: CatalogReader): Access => ({
    forReader: readBy,
    async getPermissions(principal) {
      if (isAdministrator(principal)) {
        return allPermissions;
      }
      const [rules, { mode: catalogMode }] = await Promise.all([layers(reader), readCatalogMode(reader)]);
      const decideTarget = (place: AccessTarget, mode: AccessMode) =>
        decideAccess({ principal, rules, catalogMode, ...place, mode });
      return {
        decide: decideTarget,
        isListed: (place) => isListed({ principal, rules, catalogMode, ...place }),
        administers: (workspace) => decideTarget({ workspace, layer: null }, 'admin') === 'allow',
        administersAny: () => rules.administersAny(principal),
        administersAll: () => decideTarget({ workspace: null, layer: null }, 'admin') === 'allow',
      };
    },
    decideCall: async (principal, call) =>
      isAdministrator(principal) || decideCall(await rest(reader), principal, call),
    mayCallService: async (principal, service, method) =>
      isAdministrator(principal) || canCallService(await services(reader), principal, service, method),
  });
  return readBy(catalog);
}
