import { html, useEffect, useState } from './preact.js';
import { hashOf } from './route.js';
import { apiPath, send } from './service.js';

/** Titles of sites by their ids; read once, because they hardly ever change. */
const titles = new Map();

/** From the list, where a deleted site is no error. */
async function readTitle(id) {
	const { sites } = await send('GET', apiPath('/sites', { perPage: 1, 'filters[id:eq]': id }));
	return sites[0]?.title;
}

function titleOf(id) {
	if (!titles.has(id)) {
		const title = readTitle(id);
		titles.set(id, title);
		title.catch(() => titles.delete(id));
	}
	return titles.get(id);
}

/** The title of a site whose id is known, as a link to the site. */
export function SiteName({ id }) {
	const [title, setTitle] = useState();
	useEffect(() => {
		let isShown = true;
		titleOf(id).then(
			(found) => isShown && setTitle(found ?? 'Deleted site'),
			() => isShown && setTitle(id),
		);
		return () => {
			isShown = false;
		};
	}, [id]);
	return html`<a href=${hashOf(`sites/${id}`)}>${title ?? '…'}</a>`;
}

/** The first of some sites, and how many more there are. */
export function SiteNames({ ids, most = 2 }) {
	if (ids.length === 0) return html`<span class="quiet">No site</span>`;
	return html`
		${ids
			.slice(0, most)
			.map((id, index) => html`${index > 0 && ', '}<${SiteName} key=${id} id=${id} />`)}
		${ids.length > most && ` and ${ids.length - most} more`}
	`;
}
