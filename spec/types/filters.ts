/** The filters of the manage API's lists, with the types of their values. Written by npm run clients. */
export const listFilters = {
  "calls": {
    "id": "string",
    "api": "string",
    "operation": "string",
    "caller": "string",
    "partner": "string",
    "ip": "string",
    "method": "string",
    "status": "string",
    "error_code": "string",
    "limited": "string",
    "q": "string",
    "from": "string",
    "until": "string"
  },
  "endpoints": {
    "owner": "string",
    "service": "string",
    "state": "string",
    "partner": "string",
    "q": "string"
  },
  "events": {
    "type": "string",
    "service": "string",
    "subject": "string",
    "from": "string",
    "to": "string",
    "unmatched": "string",
    "partner": "string",
    "q": "string"
  },
  "deliveries": {
    "owner": "string",
    "endpoint_id": "string",
    "event_id": "string",
    "event_type": "string",
    "reason": "string",
    "response_status": "integer",
    "from": "string",
    "to": "string",
    "q": "string",
    "status": "string",
    "waits_for": "string",
    "blocking": "string",
    "partner": "string"
  }
} as const;
