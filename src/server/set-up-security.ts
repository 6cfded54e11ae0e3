/** Sets up the security of an empty catalog, and logs the effect of `--closed`. */
import type { Catalog } from '../records/catalog.ts';
import type { InitialRules } from '../security/access-rules/rule-families.ts';
import { formatRoles } from '../security/access-rules/rule-roles.ts';
import { CLOSED_RULE, ensureSecurity, isClosed } from '../security/first-start.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './settings/settings.ts';

/** Returns whether this start did it; otherwise an earlier start or another node did. */
export async function setUpSecurity(
  catalog: Catalog,
  { closed }: Pick<Settings, 'closed'>,
  initialRules: InitialRules,
  { logger }: Pick<Environment, 'logger'>,
): Promise<boolean> {
  const isFirstStart = await ensureSecurity(catalog, closed ? { initialRules } : undefined);
  // Another node may have set it up meanwhile.
  await catalog.refresh();
  const rule = `${CLOSED_RULE.key}=${formatRoles(CLOSED_RULE.roles)}`;
  if (closed && isFirstStart) {
    logger.info(`closed: the rule ${rule} lets only administrators read layers`);
  } else if (closed && (await isClosed(catalog, initialRules))) {
    logger.info(`--closed had no effect: a rule for ${CLOSED_RULE.key} already restricts who can read layers`);
  } else if (closed) {
    logger.warn(
      `--closed was ignored, because it applies only to the first start on an empty catalog. All users can read layers that no rule restricts. To let only administrators read, set the rule ${rule} at /security/acl/layers`,
    );
  }
  return isFirstStart;
}
