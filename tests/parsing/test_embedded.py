from tests.parsing.outlines import check, imports, outline

NOTEBOOK = """
    # %% [markdown]
    # Title
    # %%
    %matplotlib inline
    !pip install x
    import numpy as np
    def load(path):
        return 7 % 2
    # %%
    %%bash
    def not_python() {
    # %%
    %%time
    class Model: pass
"""

COMPONENT = """
    <template><b @click="é">{{ a }}</b></template>
    <script setup lang="ts">
    import { ref } from 'vue'
    const n = ref<number>(0)
    function grow() { n.value++ }
    </script>
    <style>b { color: red }</style>
"""


def test_notebooks():
    check(
        "a.ipynb",
        NOTEBOOK,
        """
        function 7-8 def load(path)
        class 14-14 class Model
        """,
    )
    assert imports("a.ipynb", NOTEBOOK) == ["6 numpy np"]
    assert outline("a.ipynb", NOTEBOOK).problems == ()


def test_components():
    check(
        "a.vue",
        COMPONENT,
        """
        variable 4-4 private const n = ref<number>(0)
        function 5-5 private function grow()
        """,
    )
    assert imports("a.svelte", COMPONENT) == ["3 vue ref"]
    assert outline("a.vue", COMPONENT).language == "vue"


def test_front_matter_of_pages():
    check("a.astro", "---\nconst x = 1\n---\n<b>{x}</b>", "variable 2-2 const x = 1")


PAGE = """
    <h1>Cart</h1>
    <script type="application/json">{"a": 1}</script>
    <script>
    {% if shop %}
    function add(item) { return item }
    {% endif %}
    </script>
    <button onclick="add(1)">Add</button>
"""


def test_scripts_of_pages():
    check("a.html", PAGE, "function 5-5 function add(item)")
    assert not outline("a.html", "<h1>Cart</h1>\n").symbols
