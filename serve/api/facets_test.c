/* /facets: each value with the number of jobs that have it, over what the viewer may see and the other filters leave. */
#include "serve/api/api_testing.h"

static void values_are_counted(void **state) {
    ANSWERS(*state, "boss", "/facets", "{\"facet\":\"all\",\"value\":\"\",\"jobs\":4,\"capped\":false}",
            "{\"facet\":\"user\",\"value\":\"ana\",\"jobs\":2,", "{\"facet\":\"user\",\"value\":\"ben\",\"jobs\":2,",
            "{\"facet\":\"exe\",\"value\":\"copy\",\"jobs\":2,",
            "{\"facet\":\"account\",\"value\":\"physics\",\"jobs\":4,",
            "{\"facet\":\"state\",\"value\":\"COMPLETED\",\"jobs\":3,",
            "{\"facet\":\"state\",\"value\":\"TIMEOUT\",\"jobs\":1,",
            "{\"facet\":\"month\",\"value\":\"202311\",\"jobs\":4,",
            "{\"facet\":\"fs\",\"value\":\"scratch\",\"jobs\":2,", "{\"facet\":\"fs\",\"value\":\"home\",\"jobs\":1,",
            "{\"facet\":\"finding\",\"value\":\"posix.writes.small\",\"jobs\":3,");
}

/* Another value of the same facet can still be chosen; what it leads to is what is counted. */
static void a_filter_does_not_narrow_its_own_facet(void **state) {
    centre *c = *state;
    ANSWERS(c, "boss", "/facets?user=ana", "{\"facet\":\"all\",\"value\":\"\",\"jobs\":2,",
            "{\"facet\":\"user\",\"value\":\"ana\",\"jobs\":2,", "{\"facet\":\"user\",\"value\":\"ben\",\"jobs\":2,",
            "{\"facet\":\"exe\",\"value\":\"heat\",\"jobs\":2,");
    lacks(c, "\"value\":\"copy\"");
}

static void others_jobs_are_not_counted(void **state) {
    centre *c = *state;
    ANSWERS(c, "ana", "/facets", "{\"facet\":\"all\",\"value\":\"\",\"jobs\":2,",
            "{\"facet\":\"user\",\"value\":\"ana\",\"jobs\":2,", "{\"facet\":\"fs\",\"value\":\"home\",\"jobs\":1,",
            "{\"facet\":\"fs\",\"value\":\"scratch\",\"jobs\":1,");
    lacks(c, "ben");
    lacks(c, "TIMEOUT");
}

int main(void) {
#define OF_CENTRE(test) cmocka_unit_test_setup_teardown(test, open_centre, close_centre)
    const struct CMUnitTest tests[] = {
        OF_CENTRE(values_are_counted),
        OF_CENTRE(a_filter_does_not_narrow_its_own_facet),
        OF_CENTRE(others_jobs_are_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
