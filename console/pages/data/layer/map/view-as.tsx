/** The choice of whose view the map shows: the own one, or a preview of what others see. */
import { useSignal } from '@preact/signals';
import { useRest } from '../../../../rest/cache.ts';
import { VISITOR } from '../../../../rest/client.ts';
import { administers, session } from '../../../../rest/session.ts';
import { setQuery } from '../../../../shell/router.ts';
import { t } from '../../../../words/words.ts';
import { PreviewUser } from '../../../security/common/preview-user.tsx';
import { isComputedRole, SIGNED_IN } from '../../../security/common/role-names.ts';
import { nameRole } from '../../../security/common/roles.tsx';
import { formatRole } from './view-as.ts';

const ME = 'me';
const OTHER_USER = 'user';

interface ViewAsProps {
  readonly viewAs: string | undefined;
  readonly workspace: string;
}

export function ViewAs({ viewAs, workspace }: ViewAsProps) {
  const { mapTools: words } = t();
  const roles = useOfferedRoles(workspace);
  const asksUser = useSignal(false);
  const user = new URLSearchParams(viewAs).get('user');
  const offered = [...new Set([...roles.map(formatRole), ...(viewAs === undefined || user !== null ? [] : [viewAs])])];
  const isServerAdministrator = session.value?.isAdministrator === true;
  const showsUser = isServerAdministrator && (asksUser.value || user !== null);
  const choose = (value: string) => {
    asksUser.value = value === OTHER_USER;
    if (value !== OTHER_USER) setQuery({ as: value === ME ? undefined : value });
  };
  return (
    <div class="map-as-group">
      <label class="map-as">
        <span class="unseen">{words.viewAs}</span>
        <select
          class={`input ${viewAs === undefined ? '' : 'map-as-other'}`}
          value={showsUser ? OTHER_USER : (viewAs ?? ME)}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value={ME}>{words.asMe}</option>
          <option value={VISITOR}>{words.asAnonymous}</option>
          {offered
            .filter((each) => each !== VISITOR)
            .map((each) => (
              <option key={each} value={each}>
                {words.asRole(new URLSearchParams(each).getAll('role').map(nameRole).join(', '))}
              </option>
            ))}
          {isServerAdministrator ? <option value={OTHER_USER}>{words.asUser}</option> : null}
        </select>
      </label>
      {showsUser ? <PreviewUser user={user} class="map-as-user" /> : null}
    </div>
  );
}

/** All roles for administrators of the server, and their own ones for those of the workspace. */
function useOfferedRoles(workspace: string): readonly string[] {
  const self = session.value;
  const isServerAdministrator = self?.isAdministrator === true;
  const read = useRest<{ readonly roles: readonly string[] }>(isServerAdministrator ? '/security/roles' : undefined);
  if (self == null || !administers(workspace)) return [];
  const known = isServerAdministrator ? (read.data?.body.roles ?? []) : self.roles;
  return [SIGNED_IN, ...known.filter((role) => !isComputedRole(role))];
}
