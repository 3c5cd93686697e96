import { ApiError } from '../engine/errors';
import { adminPath, pagePath } from './options';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * The controls ask for no token, so that any page in the user's browser could send requests to them: one of another
 * origin, or one whose name has been pointed at this machine. Programs send no `Origin`.
 */
export function guardControls(app: FastifyInstance): void {
	app.addHook('onRequest', async (request) => {
		if (!isControl(request)) return;
		const { host = '', origin } = request.headers;
		if (!isLoopback(host)) throw refused(`The host ${host} is not this machine`);
		if (request.method === 'GET' || origin === undefined) return;
		if (origin !== `http://${host}`) throw refused(`A page of ${origin} cannot use the controls`);
	});
}

/** By the route that answers: an address can be written in many ways. */
function isControl({ routeOptions: { url = '' } }: FastifyRequest): boolean {
	return url === pagePath || url.startsWith(adminPath);
}

function isLoopback(host: string): boolean {
	const name = host.replace(/:\d+$/, '').toLowerCase();
	return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

const refused = (message: string) => new ApiError(403, 'foreign_origin', message);
