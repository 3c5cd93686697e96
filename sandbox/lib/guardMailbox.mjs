import { guardServers, refusalOf } from './guard.mjs';

/** On a phone the list has the whole width, and so has the email that is open, from which the name leads back. */
const phone = `
@media (max-width: 48rem) {
	.sidebar, .sidebar-header { max-width: none; }
	.main-container { overflow: auto; }
	.application-container:not(:has(.email-toolbar)) .main-container,
	.application-container:has(.email-toolbar) .sidebar-emails-container { display: none; }
	.application-container:has(.email-toolbar) { flex-direction: column; }
	.application-container:has(.email-toolbar) .sidebar { flex: none; height: auto; }
	.application-container:has(.email-toolbar) .brand::before { content: '← '; }
	.email-toolbar { flex-wrap: wrap; height: auto; }
	.email-toolbar > li { height: 2.8em; }
	.email-meta { overflow-wrap: anywhere; }
}
`;

/** The mailbox lets all origins read, and shows what came by mail at its own address: nothing of that may run there. */
function change({ url = '' }, response) {
	for (const name of response.getHeaderNames()) {
		if (name.startsWith('access-control-')) response.removeHeader(name);
	}
	response.setHeader('X-Content-Type-Options', 'nosniff');
	if (url === '/styles/style.css') return addTo(response, phone);
	const [, part] = /^\/email\/[^/]+\/(attachment|html|source|download)\b/i.exec(url) ?? [];
	if (!part) return;
	// The page around a mail measures it, and its links open in a new window.
	const allowed =
		part === 'html' ? ' allow-same-origin allow-popups allow-popups-to-escape-sandbox' : '';
	response.setHeader('Content-Security-Policy', `sandbox${allowed}`);
	if (part === 'attachment') response.setHeader('Content-Disposition', 'attachment');
	if (part === 'source') response.setHeader('Content-Type', 'text/plain; charset=utf-8');
}

/** Adds text to a response whose headers are about to go out. */
function addTo(response, text) {
	if (response.statusCode !== 200) return;
	for (const name of ['Content-Length', 'ETag', 'Last-Modified']) response.removeHeader(name);
	const { end } = response;
	response.end = function (...rest) {
		this.write(text);
		return end.apply(this, rest);
	};
}

guardServers(({ headers }) => refusalOf(headers), change);
