const controls = '/_sandbox';

/** Sends a request to a control; throws the service's own message when the request fails. */
export async function send(method, path, { body, signal } = {}) {
	const response = await fetch(`${controls}${path}`, {
		method,
		signal,
		...(body !== undefined && {
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
	if (response.status === 204) return undefined;
	const answer = await response.json();
	if (response.ok) return answer;
	throw Object.assign(new Error(answer.error?.message ?? `Status ${response.status}`), {
		status: response.status,
	});
}

/** The path of a list or record of the API, with the parameters that have a value. */
export const apiPath = (path, query) => pathOf(`/api${path}`, query);

/** The path of the list of sites with what the API does not have, such as the last good backup. */
export const fleetPath = (query) => pathOf('/fleet', query);

function pathOf(path, query = {}) {
	const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
	const text = new URLSearchParams(given).toString();
	return `${path}${text && `?${text}`}`;
}

/** Where the PDF of a report opens. */
export const pdfAddress = (reportId) =>
	`${controls}/api/reports/${encodeURIComponent(reportId)}/download`;

/** The page of a site as its visitors see it. */
export const visitorAddress = (url) => `${controls}/web?url=${encodeURIComponent(url)}`;

export const changesAddress = `${controls}/changes`;
