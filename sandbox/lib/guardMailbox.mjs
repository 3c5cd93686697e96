import { guardServers, refusalOf } from './guard.mjs';

/** The mailbox lets all origins read, and shows what came by mail at its own address: nothing of that may run there. */
function change({ url = '' }, response) {
	for (const name of response.getHeaderNames()) {
		if (name.startsWith('access-control-')) response.removeHeader(name);
	}
	response.setHeader('X-Content-Type-Options', 'nosniff');
	const [, part] = /^\/email\/[^/]+\/(attachment|html|source|download)\b/i.exec(url) ?? [];
	if (!part) return;
	// The page around a mail measures it, and its links open in a new window.
	const allowed =
		part === 'html' ? ' allow-same-origin allow-popups allow-popups-to-escape-sandbox' : '';
	response.setHeader('Content-Security-Policy', `sandbox${allowed}`);
	if (part === 'attachment') response.setHeader('Content-Disposition', 'attachment');
	if (part === 'source') response.setHeader('Content-Type', 'text/plain; charset=utf-8');
}

guardServers(({ headers }) => refusalOf(headers), change);
