/** Evaluates the access rules for a principal. Parsed rules are cached until the version of their rule set changes. */
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { readCatalogMode } from './access-rules.ts';
import { type Decision, decideAccess, isListed } from './decide-access.ts';
import { type AccessMode, createLayerRules, type LayerRules, parseLayerKey } from './layer-rules.ts';
import { decideCall, parseRestKey, type RestCall, type RestRule } from './rest-rules.ts';
import type { InitialRules, RuleEntry, RuleFamilyName } from './rule-families.ts';
import { getRuleSetVersion, readRuleSet } from './rule-set.ts';
import { canCallService, parseServiceKey, type ServiceRule } from './service-rules.ts';

export interface AccessTarget {
  /** Null for resources outside any workspace. */
  readonly workspace: string | null;
  /** Null for the workspace itself. */
  readonly layer: string | null;
}

/** The permissions of one principal under the current rules, for the duration of one request. */
export interface Permissions {
  decide(place: AccessTarget, mode: AccessMode): Decision;
  /** Returns whether listings include the target. */
  isListed(place: AccessTarget): boolean;
  /** Returns whether a rule makes the principal an administrator of this workspace. */
  administers(workspace: string): boolean;
  administersAny(): boolean;
  /** Returns whether the rule for everything makes the principal an administrator of resources outside workspaces. */
  administersAll(): boolean;
}

export interface Access {
  /** Returns the same access over another reader, such as a snapshot. */
  forReader(reader: CatalogReader): Access;
  getPermissions(principal: Principal): Promise<Permissions>;
  /** Returns whether the REST rules permit a call, or undefined if no rule matches. */
  decideCall(principal: Principal, call: RestCall): Promise<boolean | undefined>;
  mayCallService(principal: Principal, service: string, method: string): Promise<boolean>;
}

/** Administrators have every permission regardless of the rules, so no record is read for them. */
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
        // A concurrent call with another reader may replace `known` while this call awaits the version.
        const last = known;
        if (last !== undefined && last.version === (await getRuleSetVersion(reader, family))) {
          return last.parsed;
        }
        const { rules, version } = await readRuleSet(reader, family, initial);
        // On a live reader the rules may have changed between the two reads: accept them only if the version still
        // matches.
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
