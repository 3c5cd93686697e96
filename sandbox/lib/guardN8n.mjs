import { guardServers, refusalOf } from './guard.mjs';

/** n8n's own check is of the editor's socket only. Workflows answer at these addresses. */
const OF_WORKFLOWS = /^\/(form|webhook)(-test|-waiting)?\//;

guardServers(({ url = '', headers: { host, origin } }) => {
	// n8n serves the pages of forms without an origin, so that they cannot use what the editor may.
	const isForm = origin === 'null' && OF_WORKFLOWS.test(url);
	return refusalOf({ host, origin: isForm ? undefined : origin });
});
