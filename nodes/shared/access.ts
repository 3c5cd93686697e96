import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import type { Effect, Route } from './operation';

/** What a credential may be used for; the token itself allows everything. */
export type Access = 'everything' | 'noIrreversible' | 'readOnly';

const ALLOWED: Record<Access, readonly Effect[]> = {
	everything: ['reads', 'changes', 'irreversible'],
	noIrreversible: ['reads', 'changes'],
	readOnly: ['reads'],
};

export const isAccess = (value: unknown): value is Access =>
	typeof value === 'string' && Object.hasOwn(ALLOWED, value);

export const allows = (access: Access, effect: Effect) => ALLOWED[access].includes(effect);

/** As the panel of the credential shows it. */
export const ACCESS_NAMES: Record<Access, string> = {
	everything: 'Everything',
	noIrreversible: 'No Irreversible Changes',
	readOnly: 'Read Only',
};

/** Why something is not allowed, as a sentence that begins with what it is. */
export const whyNot = (what: string, access: Access, effect: Effect, credential: string) =>
	`${what} is not allowed by ${credential}: its Access is ${ACCESS_NAMES[access]}, and this ${effect === 'irreversible' ? 'can not be undone' : 'changes something'}`;

export const ACCESS_TODO =
	'Nothing was sent. Use a credential that allows it, or ask whoever owns this one to change its Access.';

/** Headers by which a GET may ask a server to be taken for something else. */
const OTHER_METHOD = /^x-(http-)?method(-override)?$/i;

interface Asked extends Partial<IHttpRequestOptions> {
	/** Where n8n's older requests, such as those of its HTTP Request node, have their URL. */
	uri?: string;
}

/**
 * Where a request of any node goes, below the base URL of the credential.
 * @throws Error when that is not the service: the token must not leave for another host
 */
function pathOf({ baseURL = '', url, uri }: Asked, baseUrl: string): string {
	const base = serviceAt(baseUrl);
	const asked = String(url ?? uri ?? '');
	const isAbsolute = /^[a-z][a-z\d+.-]*:\/\//i.test(asked);
	const target = new URL(
		isAbsolute ? asked : `${baseURL.replace(/\/+$/, '')}/${asked.replace(/^\/+/, '')}`,
	);
	if (target.origin !== base.origin) {
		throw new Error(
			`The token of this credential is only sent to ${base.origin}, not to ${target.origin}`,
		);
	}
	return target.pathname.startsWith(base.pathname)
		? target.pathname.slice(base.pathname.length - 1)
		: target.pathname;
}

/** What a request does, by the routes of the operations; one that none of them has may do anything. */
function effectOf(
	{ method = 'GET', headers = {} }: Asked,
	path: string,
	routes: ReadonlyMap<Route, Effect>,
): Effect {
	if (Object.keys(headers).some((name) => OTHER_METHOD.test(name))) return 'irreversible';
	const verb = String(method).toUpperCase();
	const found = [...routes].find(([route]) => patternOf(route).test(`${verb} ${path}`));
	return found?.[1] ?? (['GET', 'HEAD'].includes(verb) ? 'reads' : 'irreversible');
}

/** The host of this machine: what is sent to it may go unencrypted. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function serviceAt(baseUrl: string): URL {
	const text = `${baseUrl.trim().replace(/\/+$/, '')}/`;
	const base = URL.canParse(text) ? new URL(text) : undefined;
	const isSafe = base?.protocol === 'https:' || LOOPBACK.test(base?.hostname ?? '');
	if (base && isSafe && /^https?:$/.test(base.protocol)) return base;
	throw new Error('Base URL of the credential must start with https://');
}

const patterns = new Map<Route, RegExp>();

/** Made once: every request that is signed is compared with them. */
function patternOf(route: Route): RegExp {
	const pattern = patterns.get(route) ?? new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`);
	patterns.set(route, pattern);
	return pattern;
}

/**
 * Refuses what a credential does not allow, whichever node asks for it.
 * @throws Error
 */
export function checkAccess(
	{ baseUrl, access = 'everything' }: ICredentialDataDecryptedObject,
	asked: Asked,
	routes: ReadonlyMap<Route, Effect>,
): void {
	if (!isAccess(access)) throw new Error('Access of the credential is none of its choices');
	const path = pathOf(asked, String(baseUrl));
	if (access === 'everything') return;
	const effect = effectOf(asked, path, routes);
	if (allows(access, effect)) return;
	const what = `${String(asked.method ?? 'GET').toUpperCase()} ${String(asked.url ?? asked.uri)}`;
	throw new Error(`${whyNot(what, access, effect, 'this credential')}. ${ACCESS_TODO}`);
}
