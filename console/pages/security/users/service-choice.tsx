/** User/group services: sets of users that authentication providers use. Most servers have one. */
import { SelectField } from '../../../parts/controls/controls.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { address, setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';

export const DEFAULT_SERVICE = 'default';

interface ServiceList {
  readonly userGroupServices: '' | { readonly userGroupService: readonly { readonly name: string }[] };
}

export function useServices(): readonly string[] {
  const read = useRest<ServiceList>('/security/usergroupservices');
  const listed = read.data?.body.userGroupServices;
  return listed === undefined || listed === '' ? [DEFAULT_SERVICE] : listed.userGroupService.map(({ name }) => name);
}

/** The service of the address. */
export function getService(): string {
  return address.value.query.get('service') ?? DEFAULT_SERVICE;
}

/** Returns the root of the paths of users and groups. */
export function getUserRoot(service: string): string {
  return service === DEFAULT_SERVICE ? '/security/usergroup' : rest`/security/usergroup/service/${service}`;
}

/** Keeps the service in addresses of users and groups. */
export function withService(target: string): string {
  const service = getService();
  return service === DEFAULT_SERVICE ? target : `${target}?service=${encodeURIComponent(service)}`;
}

/** Nothing if there is no choice. */
export function ServiceChoice() {
  const services = useServices();
  const { security: words } = t();
  if (services.length < 2) return null;
  return (
    <div class="service-choice">
      <SelectField
        label={words.userService}
        name="service"
        value={getService()}
        options={services.map((value) => ({ value, label: value }))}
        onChange={(service) => setQuery({ service: service === DEFAULT_SERVICE ? undefined : service })}
      />
    </div>
  );
}
