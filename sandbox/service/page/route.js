import { useEffect, useState } from './preact.js';
import { decoded } from './words.js';

/** Which view the address asks for: `#/sites/ID?page=2` is the view `sites` with an id and a query. */
function current() {
	const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
	const [view = '', id] = path.split('/').map(decoded);
	return { view, id, query: Object.fromEntries(new URLSearchParams(query)) };
}

export function useRoute() {
	const [route, setRoute] = useState(current);
	useEffect(() => {
		const follow = () => setRoute(current());
		addEventListener('hashchange', follow);
		return () => removeEventListener('hashchange', follow);
	}, []);
	return route;
}

/** The address of a view; parameters without a value are left out. */
export function hashOf(path, query = {}) {
	const given = Object.entries(query).filter(([, value]) => value);
	const text = new URLSearchParams(given).toString();
	return `#/${path}${text && `?${text}`}`;
}

/** Shows another state of the same view, which is no step to go back to. */
export const replaceHash = (hash) => location.replace(hash);
